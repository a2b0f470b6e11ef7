import type { AnswerOf } from '../../api/api.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { t } from '../../kit/translate.ts';
import classes from './automations.module.css';

export type ListedRun = AnswerOf<'listRuns'>['runs'][number];

/** The outcomes of the last runs, oldest first, one mark each; the text beside says the same. */
export function RunStrip({ runs }: { runs: readonly ListedRun[] }) {
  if (runs.length === 0) return <div className={classes.strip}>{t('No runs yet.')}</div>;
  const failed = runs.filter(({ status }) => status === 'FAILURE');
  const [last] = runs;
  return (
    <div className={classes.strip}>
      <span className={classes.marks} aria-hidden="true">
        {runs.toReversed().map(({ id, status }) => (
          <span key={id} className={classes.mark} data-status={status} />
        ))}
      </span>
      <span>
        {`${t('{word}: {word2}, the last', { word: runs.length === 1 ? t('One run') : t('Last {count} runs', { count: runs.length }), word2: failed.length === 0 ? t('none failed') : t('{count} failed', { count: failed.length }) })} `}
        {last?.createdAt ? <RelativeTime at={last.createdAt} /> : null}
      </span>
      {last?.status === 'FAILURE' && last.statusLabel && <span className={classes.failure}>{last.statusLabel}</span>}
    </div>
  );
}
