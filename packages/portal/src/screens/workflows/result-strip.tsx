import type { AnswerOf } from '../../api/api.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { plural, t } from '../../kit/translate.ts';
import classes from './list.module.css';

/** The results of the last runs, oldest first, one mark each; the text beside says the same. */
export function ResultStrip({ runs }: { runs: readonly AnswerOf<'listWorkflowRuns'>['runs'][number][] }) {
  const [last] = runs;
  if (!last) return <div className={classes.strip}>{t('No runs yet.')}</div>;
  const failed = runs.filter(({ result }) => result === 'FAILED').length;
  return (
    <div className={classes.strip}>
      <span className={classes.marks} aria-hidden="true">
        {runs.toReversed().map(({ identifier, result }) => (
          <span key={identifier} className={classes.mark} data-result={result ?? 'open'} />
        ))}
      </span>
      <span>
        {plural(runs.length, '{count} run', 'Last {count} runs')}
        {', '}
        {failed === 0 ? t('none failed') : t('{count} failed', { count: failed })} ·{' '}
        <RelativeTime at={last.createdAt} />
      </span>
    </div>
  );
}
