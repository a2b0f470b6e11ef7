import { Link, useNavigate } from '@tanstack/react-router';
import type { AnswerOf } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { ButtonLink } from '../../frame/links.tsx';
import type { Column } from '../../kit/column.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { EmptyState, Reading, TableSkeleton } from '../../kit/states.tsx';
import { duration } from '../../kit/time.ts';
import { t } from '../../kit/translate.ts';
import { StatusBadge } from '../../parts/badges.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { RunTable, useRunLimit } from '../../parts/runs/run-table.tsx';
import { runState, waitLabel, waitWords } from '../../parts/workflows/run-words.ts';
import { workflowName } from '../../parts/workflows/waiting-forms.tsx';
import { workflowRunAddress } from '../../parts/workflows/workflow-links.ts';
import { useRunFilters } from './runs/run-filters.tsx';
import classes from './runs/runs.module.css';

type ListedRun = AnswerOf<'listWorkflowRuns'>['runs'][number];

/** Runs of workflows, newest first; the address holds the filters. */
export function Screen() {
  const navigate = useNavigate();
  const { query, isFiltered, controls } = useRunFilters();
  const shown = useRunLimit();
  const runs = useRead(
    'listWorkflowRuns',
    { query: { limit: shown.limit, ...query } },
    { everyMs: 15_000, keepsPrevious: true },
  );
  const clear = () => void navigate({ to: '/workflow-runs', search: {}, replace: true });
  return (
    <>
      <PageHeader
        title={t('Runs of workflows')}
        description={t('What forms, events and schedules started, newest first.')}
        actions={
          <ButtonLink to="/runs" variant="default">
            {t('Runs of actions')}
          </ButtonLink>
        }
      />
      {controls}
      <Reading of={runs} skeleton={<TableSkeleton />}>
        {({ runs: rows }) => (
          <RunTable
            label={t('Runs of workflows')}
            columns={columns}
            rows={rows}
            keyOf={({ identifier }) => identifier}
            addressOf={({ identifier }) => workflowRunAddress(identifier)}
            shown={shown}
            isLoadingMore={runs.isFetching}
            onClear={isFiltered ? clear : undefined}
          >
            <EmptyState
              title={t('No workflow has run yet')}
              action={
                <ButtonLink to="/self-service" size="xs">
                  {t('Open self-service')}
                </ButtonLink>
              }
            >
              {t('A run begins when somebody fills in a form, something changes, or a time comes round.')}
            </EmptyState>
          </RunTable>
        )}
      </Reading>
    </>
  );
}

const columns: readonly Column<ListedRun>[] = [
  {
    key: 'workflow',
    title: t('Workflow'),
    width: 240,
    cell: ({ identifier, workflow }) => (
      <Link {...workflowRunAddress(identifier)} className={classes.link} dir="auto">
        {workflowName({ workflow })}
      </Link>
    ),
  },
  {
    key: 'status',
    title: t('Status'),
    width: 160,
    cell: (run) => <StatusBadge status={runState(run)} label={run.statusLabel?.text ?? waitLabel(run)} />,
  },
  {
    key: 'at',
    title: t('Waits at'),
    width: 220,
    cell: ({ currentNode, waitingFor, status }) =>
      status === 'COMPLETED' || !currentNode ? '–' : `${currentNode}${waitingFor ? `: ${waitWords(waitingFor)}` : ''}`,
  },
  { key: 'by', title: t('By'), width: 180, cell: ({ createdBy }) => <span dir="auto">{createdBy}</span> },
  { key: 'version', title: t('Version'), width: 90, cell: ({ workflow }) => workflow.version },
  { key: 'started', title: t('Started'), width: 120, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  {
    key: 'lasted',
    title: t('Took'),
    width: 90,
    cell: ({ createdAt, completedAt }) =>
      completedAt ? duration(Date.parse(completedAt) - Date.parse(createdAt)) : '–',
  },
];
