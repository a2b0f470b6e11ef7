import { Button, Group, Text } from '@mantine/core';
import type { WireCounts } from '@portolan/tables';
import { locale } from '../../kit/language.ts';
import { t } from '../../kit/translate.ts';
import classes from './imports.module.css';

/** The steps of an import, with the present one marked. */
export function StepList<Kind extends string>({ names, now }: { names: Readonly<Record<Kind, string>>; now: Kind }) {
  return (
    <ol className={classes.steps} aria-label={t('Steps')}>
      {Object.entries<string>(names).map(([kind, name], index) => (
        <li key={kind} aria-current={kind === now ? 'step' : undefined}>
          {index + 1}. {name}
        </li>
      ))}
    </ol>
  );
}

export interface ImportProgress {
  readonly rows: number;
  readonly counts: WireCounts;
}

/** How far an import is: "1,200 rows written, 3 refused". */
export function ShowProgress({
  progress: { rows, counts },
  things,
  verb,
  onStop,
}: {
  progress: ImportProgress;
  things: string;
  verb: string;
  onStop: () => void;
}) {
  const refused =
    counts.refused > 0 ? t(', {refused} refused', { refused: counts.refused.toLocaleString(locale) }) : '';
  return (
    <Group mb="lg">
      <Text role="status">
        {rows.toLocaleString(locale)} {things} {verb}
        {refused}
      </Text>
      <Button size="xs" variant="default" onClick={onStop}>
        {t('Stop')}
      </Button>
    </Group>
  );
}

/** What an attempt that failed is told by. */
export function failureText(error: unknown): string {
  const isStopped = error instanceof DOMException && error.name === 'AbortError';
  return isStopped ? t('You stopped it. What was stored before stays.') : (error as Error).message;
}
