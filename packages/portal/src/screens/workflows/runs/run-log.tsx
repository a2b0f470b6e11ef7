import { useRead } from '../../../api/query.ts';
import { Block } from '../../../kit/block.tsx';
import { locale } from '../../../kit/language.ts';
import { EmptyState, Reading } from '../../../kit/states.tsx';
import { t } from '../../../kit/translate.ts';
import type { WorkflowRun } from '../../../parts/workflows/respond-form.tsx';
import classes from './runs.module.css';

const time = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });

/** What the steps of a run wrote down, oldest first. */
export function RunLog({ run }: { run: WorkflowRun }) {
  const isOver = run.status === 'COMPLETED';
  const logs = useRead(
    'getWorkflowRunLogs',
    { params: { run_id: run.identifier }, query: {} },
    isOver ? {} : { everyMs: 5000 },
  );
  return (
    <Block title={t('Log')}>
      <Reading of={logs}>
        {({ logs: lines }) =>
          lines.length === 0 ? (
            <EmptyState title={t('Nothing was written down')} />
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
            <ol className={classes.log} tabIndex={0} aria-label={t('Log')}>
              {lines.map(({ nodeRunIdentifier, nodeIdentifier, level, message, createdAt }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two lines can say the same at the same time
                <li key={`${nodeRunIdentifier} ${index}`} data-level={level}>
                  <time dateTime={createdAt}>{time.format(new Date(createdAt))}</time>
                  <span>{level}</span>
                  <span>{nodeIdentifier}</span>
                  <span dir="auto">{message}</span>
                </li>
              ))}
            </ol>
          )
        }
      </Reading>
    </Block>
  );
}
