import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type AnswerOf, call } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { useParam, useUrlState } from '../../frame/url-state.ts';
import { TeamBadge } from '../../parts/badges.tsx';
import { type Column, DataTable, type Sort } from '../../parts/data-table.tsx';
import { EntityAnchor, entityAddress } from '../../parts/entity-anchor.tsx';
import { Markdown } from '../../parts/markdown.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { EmptyState, ErrorState, Reading, TableSkeleton } from '../../parts/states.tsx';

type FoundEntity = AnswerOf<'searchBlueprintEntities'>['entities'][number];

const pageSize = 100;

export function Screen() {
  const identifier = useParam('page');
  const page = useRead('getPage', { params: { page_identifier: identifier } });
  return (
    <Reading of={page} isScreen skeleton={<TableSkeleton />}>
      {({ page: { title, icon, description, blueprint } }) => (
        <>
          <PageHeader
            title={title ?? identifier}
            icon={icon ?? ''}
            description={description ? <Markdown text={description} /> : undefined}
          />
          {blueprint && <EntityTable blueprint={blueprint} title={title ?? identifier} />}
        </>
      )}
    </Reading>
  );
}

function EntityTable({ blueprint, title }: { blueprint: string; title: string }) {
  const navigate = useNavigate();
  const [sort, setSort] = useUrlState<Sort>('sort');
  const count = useRead('countEntities', { params: { blueprint_identifier: blueprint } });
  const found = useInfiniteQuery({
    queryKey: ['searchBlueprintEntities', blueprint, sort],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call('searchBlueprintEntities', {
        params: { blueprint_identifier: blueprint },
        body: { limit: pageSize, ...(pageParam ? { from: pageParam } : {}), ...(sort ? { sort: [sort] } : {}) },
        signal,
      }),
    getNextPageParam: (last) => last.next,
  });
  const rows = useMemo(() => found.data?.pages.flatMap(({ entities }) => entities) ?? [], [found.data]);
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />;
  if (found.isPending) return <TableSkeleton />;
  return (
    <DataTable
      label={title}
      columns={columns}
      rows={rows}
      keyOf={({ identifier }) => identifier ?? ''}
      sort={sort}
      onSort={setSort}
      hasMore={found.hasNextPage}
      isLoadingMore={found.isFetchingNextPage}
      onMore={() => void found.fetchNextPage()}
      total={count.data ? { count: count.data.count, isExact: true } : undefined}
      onOpen={(row) => void navigate({ to: entityAddress(row.blueprint ?? blueprint, row.identifier ?? '') })}
      empty={
        <EmptyState title="There is no entity yet">
          Connect a source, import a file or create one over the API.
        </EmptyState>
      }
    />
  );
}

const columns: readonly Column<FoundEntity>[] = [
  {
    key: 'title',
    title: 'Title',
    sortBy: '$title',
    width: 280,
    cell: ({ blueprint = '', identifier = '', title, icon }) => (
      <EntityAnchor blueprint={blueprint} identifier={identifier} title={title} icon={icon ?? ''} />
    ),
  },
  {
    key: 'team',
    title: 'Owning teams',
    cell: ({ team }) => (team ?? []).map((each) => <TeamBadge key={each} identifier={each} />),
  },
  {
    key: 'updated',
    title: 'Updated',
    sortBy: '$updatedAt',
    width: 160,
    cell: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
  },
];
