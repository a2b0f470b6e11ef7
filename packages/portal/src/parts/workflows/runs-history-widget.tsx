import { Link } from '@tanstack/react-router';
import type { AnswerOf } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import type { Column } from '../../kit/column.ts';
import { DataTable } from '../../kit/data-table.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { EmptyState, Reading, TableSkeleton } from '../../kit/states.tsx';
import { duration } from '../../kit/time.ts';
import { t } from '../../kit/translate.ts';
import { PersonBadge, StatusBadge } from '../badges.tsx';
import { type WidgetProps, widgetMap, widgetText } from '../widgets/widget-shape.ts';
import { runState, waitLabel } from './run-words.ts';
import { workflowName } from './waiting-forms.tsx';
import { workflowRunAddress } from './workflow-links.ts';

type Run = AnswerOf<'listWorkflowRuns'>['runs'][number];

/** Filters of the list of runs that a widget may hold; others are dropped. */
const filters = [
  'workflow',
  'status',
  'result',
  'user_email',
  'active',
  'waiting_for_me',
  'waiting',
  'trigger',
  'started_by',
  'blueprint',
  'entity',
  'from',
  'to',
  'limit',
];
const shownFirst = 20;

const columns: readonly Column<Run>[] = [
  {
    key: 'run',
    title: t('Workflow'),
    width: 220,
    cell: (run) => (
      <Link {...workflowRunAddress(run.identifier)} dir="auto">
        {workflowName(run)}
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
    key: 'by',
    title: t('Started by'),
    width: 220,
    cell: ({ createdBy }) => (createdBy.includes('@') ? <PersonBadge email={createdBy} /> : createdBy),
  },
  { key: 'started', title: t('Started'), width: 130, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  {
    key: 'lasted',
    title: t('Took'),
    width: 100,
    cell: ({ createdAt, completedAt }) =>
      completedAt ? duration(Date.parse(completedAt) - Date.parse(createdAt)) : '–',
  },
];

/** The newest runs of a workflow, or of all; on the page of an entity those about it. */
export function RunsHistory({ widget, context }: WidgetProps) {
  const known = Object.fromEntries(
    Object.entries(widgetMap(widget, 'query')).filter(
      ([key, value]) => filters.includes(key) && ['string', 'number', 'boolean'].includes(typeof value),
    ),
  );
  const about = context.entity ? { entity: context.entity.identifier, blueprint: context.entity.blueprint } : {};
  const read = useRead('listWorkflowRuns', { query: { limit: shownFirst, ...known, ...about } });
  return (
    <Reading of={read} skeleton={<TableSkeleton rows={4} />}>
      {({ runs }) => (
        <DataTable
          label={widgetText(widget, 'title') ?? t('Runs of workflows')}
          columns={columns}
          rows={runs}
          keyOf={({ identifier }) => identifier}
          empty={
            <EmptyState title={t('No runs yet')}>{t('Runs appear here as soon as something starts one.')}</EmptyState>
          }
        />
      )}
    </Reading>
  );
}
