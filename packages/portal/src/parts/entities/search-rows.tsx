import { type ReactNode, useCallback } from 'react';
import type { Sort } from '../../kit/column.ts';
import type { DataTableProps } from '../../kit/data-table.tsx';
import { LiveNotice } from '../../kit/live-notice.tsx';
import type { RowSelection } from '../../kit/row-selection.ts';
import { ErrorState, TableSkeleton, useIsSlow } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { EntityRows } from './entity-rows.tsx';
import type { Field } from './fields.ts';
import { useRelationTitles } from './titles.ts';
import { type EntitySearch, type FoundEntity, useEntities } from './use-entities.ts';
import { useNames } from './use-names.ts';

/** The results of a search, with loading, empty and error states. */
export function EntitySearchRows({
  search,
  fields,
  countText,
  ...table
}: {
  label: string;
  search: EntitySearch;
  fields: readonly Field[];
  icon?: string | undefined;
  sort?: Sort | undefined;
  onSort?: (sort: Sort | undefined) => void;
  total?: DataTableProps<FoundEntity>['total'];
  empty?: ReactNode;
  isCompact?: boolean;
  selection?: RowSelection | undefined;
  /** Says how many of all there are, from the matches and what is loaded of them. */
  countText?: ((matched: number, loaded: number) => string) | undefined;
}) {
  const { found, rows, begun } = useEntities(search);
  const { refetch } = found;
  const show = useCallback(() => void refetch(), [refetch]);
  const titles = useRelationTitles(rows, fields);
  const names = useNames(titles);
  const isSlow = useIsSlow(found.isPending);
  if (found.error)
    return (
      <ErrorState
        error={found.error}
        what={t('Portolan could not read these entities')}
        onRetry={() => void found.refetch()}
      />
    );
  if (found.isPending) return <div aria-busy="true">{isSlow && <TableSkeleton />}</div>;
  return (
    <>
      <LiveNotice
        blueprint={search.blueprint}
        begun={begun}
        isReading={found.isFetching && !found.isFetchingNextPage}
        onShow={show}
      />
      <EntityRows
        {...table}
        blueprint={search.blueprint}
        fields={fields}
        rows={rows}
        names={names}
        countText={table.total && countText?.(table.total.count, rows.length)}
        hasMore={found.hasNextPage}
        isLoadingMore={found.isFetchingNextPage}
        onMore={() => void found.fetchNextPage()}
      />
    </>
  );
}
