import { Link, useNavigate } from '@tanstack/react-router';
import { useRead } from '../../api/query.ts';
import type { Column } from '../../kit/column.ts';
import { DataTable } from '../../kit/data-table.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { EmptyState, Reading, TableSkeleton } from '../../kit/states.tsx';
import { duration } from '../../kit/time.ts';
import { t } from '../../kit/translate.ts';
import { StatusBadge } from '../../parts/badges.tsx';
import { EntityAnchor } from '../../parts/entity-anchor.tsx';
import { isOver, runAddress, thingIdentifier, thingTitle } from '../../parts/run-things.ts';
import type { ListedRun } from './run-strip.tsx';

const most = 200;

/** The runs of an automation, newest first. */
export function AutomationRuns({ identifier }: { identifier: string }) {
  const navigate = useNavigate();
  const query = { action: identifier, limit: most, version: 'v2', exclude: ['payload', 'response', 'properties'] };
  const reading = useRead('listRuns', { query }, { everyMs: 5_000 });
  return (
    <Reading of={reading} skeleton={<TableSkeleton />}>
      {({ runs }) => (
        <DataTable
          label={t('Runs of the automation')}
          columns={columns}
          rows={runs as readonly ListedRun[]}
          keyOf={({ id }) => id ?? ''}
          onOpen={({ id = '' }) => void navigate(runAddress(id))}
          total={{ count: runs.length, isExact: runs.length < most }}
          empty={
            <EmptyState title={t('No runs yet')}>
              {t('The automation runs when its event occurs. Test it with a past event to see the result.')}
            </EmptyState>
          }
        />
      )}
    </Reading>
  );
}

const columns: readonly Column<ListedRun>[] = [
  {
    key: 'run',
    title: t('Run'),
    width: 190,
    cell: ({ id = '' }) => (
      <Link {...runAddress(id)}>
        <code>{id}</code>
      </Link>
    ),
  },
  {
    key: 'status',
    title: t('Status'),
    width: 220,
    cell: ({ status = '', statusLabel }) => <StatusBadge status={status} label={statusLabel} />,
  },
  {
    key: 'entity',
    title: t('Because of'),
    width: 200,
    cell: ({ entity, blueprint }) => {
      const [about, of] = [thingIdentifier(entity), thingIdentifier(blueprint)];
      return about && of ? <EntityAnchor blueprint={of} identifier={about} title={thingTitle(entity)} /> : '–';
    },
  },
  { key: 'started', title: t('Started'), width: 120, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  {
    key: 'lasted',
    title: t('Took'),
    width: 90,
    cell: (run) =>
      isOver(run) && run.createdAt && run.endedAt ? duration(Date.parse(run.endedAt) - Date.parse(run.createdAt)) : '–',
  },
];
