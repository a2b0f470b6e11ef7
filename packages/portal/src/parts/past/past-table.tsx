import { Button, Table, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../api/api.ts';
import { AnchorLink } from '../../frame/links.tsx';
import { ScrolledTable } from '../../kit/scrolled-table.tsx';
import { EmptyState, ErrorState, TableSkeleton } from '../../kit/states.tsx';
import { plural, t } from '../../kit/translate.ts';
import { type Field, fieldValue } from '../entities/fields.ts';
import type { Query } from '../entities/operators.ts';
import { PropertyValue } from '../entities/property-value.tsx';
import { useFields } from '../entities/use-fields.ts';
import { useNames } from '../entities/use-names.ts';
import { AsOfBanner } from './as-of-banner.tsx';

const columnsMax = 12;
/** Narrower, texts break within words. */
const columnWidth = 140;
const pageSize = 50;
const noTitles = new Map<string, string>();

/** The entities of a type as they were at a moment, page by page. */
export function PastTable({
  blueprint,
  label,
  at,
  dataset,
  onGo,
}: {
  blueprint: string;
  label: string;
  at: string;
  dataset: Query | undefined;
  onGo: (at: string | undefined) => void;
}) {
  const found = useInfiniteQuery({
    queryKey: ['searchBlueprintEntities', 'past', blueprint, at, dataset],
    initialPageParam: undefined as string | undefined,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ pageParam, signal }) =>
      call('searchBlueprintEntities', {
        params: { blueprint_identifier: blueprint },
        body: {
          as_of: at,
          limit: pageSize,
          ...(dataset ? { query: dataset as never } : {}),
          ...(pageParam ? { from: pageParam } : {}),
        },
        signal,
      }),
    getNextPageParam: (last) => last.next,
  });
  const { fields } = useFields(blueprint);
  const names = useNames(noTitles);
  const columns = useMemo(() => (fields ?? []).filter(isStored).slice(0, columnsMax), [fields]);
  const pages = found.data?.pages ?? [];
  const entities = pages.flatMap((page) => page.entities);
  const undecided = pages.flatMap((page) => page.asOf?.undecided ?? []);
  const isComplete = pages[0]?.asOf?.includesDeleted !== false;
  return (
    <>
      <AsOfBanner at={at} onGo={onGo}>
        <Text size="sm" mt="xs">
          {t('Computed values and scorecards of then are not known.')}{' '}
          {!isComplete && t('Entities that were deleted since are shown to administrators only.')}{' '}
          {undecided.length > 0 &&
            plural(
              undecided.length,
              'Whether {count} more entity belongs here is not known.',
              'Whether {count} more entities belong here is not known.',
            )}
        </Text>
      </AsOfBanner>
      {found.error ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} />
      ) : found.isPending || !fields ? (
        <TableSkeleton />
      ) : entities.length === 0 && !found.hasNextPage ? (
        <EmptyState title={t('There was no entity')}>
          {t('None of this type existed then, as far as you may see.')}
        </EmptyState>
      ) : (
        <ScrolledTable label={label} minWidth={columns.length * columnWidth}>
          <Table.Thead>
            <Table.Tr>
              {columns.map(({ key, title }) => (
                <Table.Th key={key}>{title}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {entities.map((entity) => (
              <Table.Tr key={`${entity.identifier} ${entity.createdAt}`}>
                {columns.map((field) => (
                  <Table.Td key={field.key}>
                    {field.key === '$title' ? (
                      <AnchorLink
                        to="/e/$blueprint/$entity"
                        params={{ blueprint, entity: entity.identifier ?? '' }}
                        search={{ as_of: at }}
                      >
                        {entity.title ?? entity.identifier}
                      </AnchorLink>
                    ) : (
                      <PropertyValue field={field} value={fieldValue(entity, field)} names={names} />
                    )}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </ScrolledTable>
      )}
      {found.hasNextPage && (
        <Button mt="sm" variant="default" onClick={() => void found.fetchNextPage()} loading={found.isFetchingNextPage}>
          {t('Show more')}
        </Button>
      )}
    </>
  );
}

/** Whether the journal has the values of a field. */
export function isStored({ source }: Field): boolean {
  return source === 'meta' || source === 'property' || source === 'relation';
}
