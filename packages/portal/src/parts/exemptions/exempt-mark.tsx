import type { Exemption } from '@portolan/contract/exemptions';
import { t } from '../../kit/translate.ts';
import { writtenDate } from '../campaigns/due.ts';

/** The sign of an exemption and, in words, until when it holds; why is its title. */
export function ExemptMark({ exemption: { until, reason } }: { exemption: Pick<Exemption, 'until' | 'reason'> }) {
  return (
    <span title={reason}>
      <span aria-hidden="true">◇ </span>
      {t('Exempt until {until}', { until: writtenDate(until) })}
    </span>
  );
}

/** The exemption that covers a rule: of the rule itself, or else of all. */
export function findCovering(exemptions: readonly Exemption[] | undefined, rule: string): Exemption | undefined {
  return exemptions?.find((each) => each.rule === rule) ?? exemptions?.find((each) => each.rule === null);
}
