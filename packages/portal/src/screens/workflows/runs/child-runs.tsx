import { Title } from '@mantine/core';
import { AnchorLink } from '../../../frame/links.tsx';
import { t } from '../../../kit/translate.ts';
import { StatusBadge } from '../../../parts/badges.tsx';
import type { NodeRun } from '../../../parts/workflows/respond-form.tsx';
import { childrenInWords, runState } from '../../../parts/workflows/run-words.ts';
import { workflowRunAddress } from '../../../parts/workflows/workflow-links.ts';
import classes from './runs.module.css';

/** The runs that a step began: their number, and folded, each with a link. */
export function ChildRuns({ of: children }: { of: NonNullable<NodeRun['children']> }) {
  const { total, completed, failed, runs } = children;
  const more = total - runs.length;
  return (
    <section aria-label={t('Runs of this step')}>
      <Title order={3} fz="sm" mb={4}>
        {t('Runs of this step')}
      </Title>
      <progress className={classes.progress} max={Math.max(1, total)} value={completed} aria-label={t('Runs ended')} />
      <details>
        <summary>{childrenInWords({ total, completed, failed })}</summary>
        <ol className={classes.children}>
          {runs.map(({ identifier, index, status, result }) => (
            <li key={identifier}>
              <AnchorLink {...workflowRunAddress(identifier)}>{t('Run {number}', { number: index + 1 })}</AnchorLink>{' '}
              <StatusBadge status={runState({ status, result, waitingFor: null })} />
            </li>
          ))}
        </ol>
        {more > 0 && <p>{t('and {count} more', { count: more })}</p>}
      </details>
    </section>
  );
}
