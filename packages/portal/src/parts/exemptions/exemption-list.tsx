import { Button, Group } from '@mantine/core';
import type { Exemption } from '@portolan/contract/exemptions';
import type { Scorecard } from '@portolan/contract/scorecards';
import { lazy, Suspense, useState } from 'react';
import { useRead } from '../../api/query.ts';
import { Block } from '../../kit/block.tsx';
import { useDelete } from '../../kit/delete.ts';
import { ErrorState } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { useOffers } from '../entities/rights.ts';
import { EntityAnchor } from '../entity-anchor.tsx';
import { ExemptMark } from './exempt-mark.tsx';
import classes from './exemptions.module.css';
import { exemptionReads } from './reads.ts';

// loaded with the first exemption
const ExemptDialog = lazy(async () => ({ default: (await import('./exempt-dialog.tsx')).ExemptDialog }));

interface ListProps {
  readonly blueprint: string;
  readonly scorecard: Pick<Scorecard, 'identifier' | 'rules'>;
  /** Restricts the list to what covers one of these rules. */
  readonly rules?: readonly string[] | undefined;
  /** Chosen to begin with. */
  readonly rule?: string | undefined;
  /** The entities that are offered. */
  readonly dataset?: object | undefined;
}

/** The exemptions of a scorecard that hold today, to make more and to end; nothing where nobody can and there are none. */
export function ExemptionList({ blueprint, scorecard, rules, rule, dataset }: ListProps) {
  const params = { blueprint_identifier: blueprint, scorecard_identifier: scorecard.identifier };
  const { data, error, refetch } = useRead('listExemptions', { params });
  const mayChange = useOffers('_scorecard').register;
  const [isOpen, setOpen] = useState(false);
  const remove = useDelete('deleteExemption', { staleAfter: exemptionReads });
  if (error && !data)
    return <ErrorState error={error} what={t('Exemptions could not be read')} onRetry={() => void refetch()} />;
  const shown = (data?.exemptions ?? []).filter((each) => !rules || each.rule === null || rules.includes(each.rule));
  if (shown.length === 0 && !mayChange) return null;
  const titleOf = ({ rule }: Exemption) =>
    rule === null ? t('All rules') : (scorecard.rules.find((each) => each.identifier === rule)?.title ?? rule);
  const end = (exemption: Exemption) =>
    remove.ask({
      input: { params: { ...params, exemption_id: exemption.id } },
      name: t('The exemption of {entity}', { entity: exemption.entity.title ?? exemption.entity.identifier }),
      consequence: t('Campaigns count the entity as open again.'),
      verb: t('End'),
      past: t('ended'),
    });
  return (
    <Block title={t('Exempt')}>
      {shown.length > 0 && (
        <ul className={classes.list} aria-label={t('Exempt entities')}>
          {shown.map((exemption) => (
            <li key={exemption.id}>
              <div>
                <Group gap={8}>
                  <EntityAnchor blueprint={blueprint} {...exemption.entity} />
                  <ExemptMark exemption={exemption} />
                </Group>
                <div className={classes.reason}>
                  <span dir="auto">{titleOf(exemption)}</span> · <span dir="auto">{exemption.reason}</span> ·{' '}
                  {t('by {person}', { person: exemption.createdBy })}
                </div>
              </div>
              {mayChange && (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  aria-label={t('End the exemption of {entity}', {
                    entity: exemption.entity.title ?? exemption.entity.identifier,
                  })}
                  data-operation="deleteExemption"
                  onClick={() => void end(exemption)}
                >
                  {t('End')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {mayChange && (
        <Button size="xs" variant="default" data-operation="createExemptions" onClick={() => setOpen(true)}>
          {t('Exempt until…')}
        </Button>
      )}
      {isOpen && (
        <Suspense fallback={null}>
          <ExemptDialog
            blueprint={blueprint}
            scorecard={scorecard.identifier}
            rule={rule}
            dataset={dataset}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </Block>
  );
}
