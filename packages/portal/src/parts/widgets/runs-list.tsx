import { Link } from '@tanstack/react-router';
import type { AnswerOf, InputOf } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import type { Column } from '../../kit/column.ts';
import { DataTable } from '../../kit/data-table.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { EmptyState, Reading, TableSkeleton } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { PersonBadge, StatusBadge } from '../badges.tsx';
import { EntityAnchor } from '../entity-anchor.tsx';

type Run = AnswerOf<'listRuns'>['runs'][number];

function named(value: Run['action']): { identifier: string; title: string } {
  if (typeof value === 'object' && value !== null)
    return { identifier: value.identifier, title: value.title ?? value.identifier };
  return { identifier: value ?? '', title: value ?? '' };
}

const columns: readonly Column<Run>[] = [
  {
    key: 'action',
    title: t('Action'),
    width: 220,
    cell: ({ id = '', action }) => (
      <Link to="/runs/$run" params={{ run: id }}>
        {named(action).title}
      </Link>
    ),
  },
  {
    key: 'status',
    title: t('Status'),
    width: 160,
    cell: ({ status = '', statusLabel }) => <StatusBadge status={status} label={statusLabel} />,
  },
  {
    key: 'entity',
    title: t('Entity'),
    cell: ({ entity, blueprint }) => {
      if (!entity || !blueprint) return '–';
      const { identifier, title } = named(entity);
      return <EntityAnchor blueprint={named(blueprint).identifier} identifier={identifier} title={title} />;
    },
  },
  {
    key: 'by',
    title: t('By'),
    width: 220,
    cell: ({ createdBy = '' }) => (createdBy.includes('@') ? <PersonBadge email={createdBy} /> : createdBy),
  },
  { key: 'at', title: t('When'), width: 150, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
];

/** Runs, newest first. */
export function RunsList({
  query,
  label,
  emptyText,
}: {
  query: NonNullable<InputOf<'listRuns'>['query']>;
  label: string;
  emptyText: string;
}) {
  const read = useRead('listRuns', { query: { limit: 100, version: 'v2', ...query } });
  return (
    <Reading of={read} skeleton={<TableSkeleton rows={4} />}>
      {({ runs }) => (
        <DataTable
          label={label}
          columns={columns}
          rows={runs}
          keyOf={({ id }) => id ?? ''}
          empty={<EmptyState title={t('No runs yet')}>{emptyText}</EmptyState>}
        />
      )}
    </Reading>
  );
}
