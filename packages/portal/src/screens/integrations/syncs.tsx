import { Select, Text } from '@mantine/core';
import { isRecord } from '@portolan/contract/json-value';
import { useRead } from '../../api/query.ts';
import { useUrlState } from '../../frame/url-state.ts';
import type { Column } from '../../kit/column.ts';
import { DataTable } from '../../kit/data-table.tsx';
import { locale } from '../../kit/language.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { EmptyState, Reading, TableSkeleton } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { StatusBadge } from '../../parts/badges.tsx';

interface Kind {
  readonly kindIdentifier: string;
  readonly syncState: string;
  readonly metrics: unknown;
  readonly updatedAt: string;
}

/** The latest resyncs with the result per kind. */
export function Syncs({ installationId }: { installationId: string }) {
  const params = { integration_identifier: installationId };
  const syncs = useRead('listSyncs', { params }, { everyMs: 15_000 });
  const [asked, setAsked] = useUrlState('/builder/sources/integrations/$integration', 'resync');
  return (
    <Reading of={syncs} skeleton={<TableSkeleton />}>
      {({ data }) =>
        data.length === 0 ? (
          <EmptyState title={t('No resync was reported')}>
            {t('Integrations that report figures tell here what each kind came to.')}
          </EmptyState>
        ) : (
          <>
            <Select
              aria-label={t('Resync')}
              maw={420}
              mb="md"
              allowDeselect={false}
              data={data.map(({ eventId, syncState, createdAt }) => ({
                value: eventId,
                label: `${new Date(createdAt).toLocaleString(locale)} · ${syncState}`,
              }))}
              value={asked ?? data[0]?.eventId ?? null}
              onChange={(next) => setAsked(next ?? undefined)}
            />
            <Kinds params={params} resync={asked ?? data[0]?.eventId ?? ''} />
          </>
        )
      }
    </Reading>
  );
}

function Kinds({ params, resync }: { params: { integration_identifier: string }; resync: string }) {
  const input = { params, query: { resyncId: resync } };
  const reading = useRead('listSyncMetrics', input, { everyMs: 15_000, keepsPrevious: true });
  return (
    <Reading of={reading} skeleton={<TableSkeleton />}>
      {({ data }) => (
        <DataTable
          label={t('Kinds')}
          columns={columns}
          rows={data as readonly Kind[]}
          keyOf={({ kindIdentifier }) => kindIdentifier}
          empty={<EmptyState title={t('This resync has reported no kind')} />}
        />
      )}
    </Reading>
  );
}

const columns: readonly Column<Kind>[] = [
  { key: 'kind', title: t('Kind'), width: 200, cell: ({ kindIdentifier }) => <code>{kindIdentifier}</code> },
  { key: 'state', title: t('State'), width: 140, cell: ({ syncState }) => <StatusBadge status={syncState} /> },
  { key: 'figures', title: t('Figures'), width: 420, cell: ({ metrics }) => <Figures metrics={metrics} /> },
  { key: 'updated', title: t('Reported'), width: 120, cell: ({ updatedAt }) => <RelativeTime at={updatedAt} /> },
];

/** Metrics under the names that the client chose. */
function Figures({ metrics }: { metrics: unknown }) {
  const figures = figuresIn(metrics);
  if (figures.length === 0) return '–';
  return (
    <Text size="sm" component="span">
      {figures.map(([name, value]) => `${name} ${value.toLocaleString(locale)}`).join(' · ')}
    </Text>
  );
}

const figuresMax = 12;

function figuresIn(metrics: unknown, path: readonly string[] = []): readonly (readonly [string, number])[] {
  if (typeof metrics === 'number') return [[path.join(' ').replaceAll('_', ' '), metrics]];
  if (!isRecord(metrics) || path.length > 5) return [];
  return Object.entries(metrics)
    .flatMap(([key, value]) => figuresIn(value, [...path, key]))
    .slice(0, figuresMax);
}
