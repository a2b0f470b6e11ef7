import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type AnswerOf, call, type InputOf } from '../../api/api.ts';
import { useBeginning } from '../../api/query.ts';
import type { Sort } from '../../kit/column.ts';
import type { Query } from './operators.ts';

export type FoundEntity = AnswerOf<'searchBlueprintEntities'>['entities'][number];
type Body = NonNullable<InputOf<'searchBlueprintEntities'>['body']>;

export interface EntitySearch {
  readonly blueprint: string;
  readonly query?: Query | undefined;
  readonly sort?: readonly Sort[] | undefined;
  readonly include?: readonly string[] | undefined;
}

const pageSize = 100;

export function searchBody({ query, sort, include }: EntitySearch, limit = pageSize, from?: string): Body {
  return {
    limit,
    ...(from ? { from } : {}),
    ...(query && query.rules.length > 0 ? { query: query as Body['query'] } : {}),
    ...(sort && sort.length > 0 ? { sort: sort.slice(0, 3).map(({ property, order }) => ({ property, order })) } : {}),
    ...(include ? { include: [...include] } : {}),
  };
}

/** Entities, page by page on demand. */
export function useEntities(search: EntitySearch, { isOn = true, limit = pageSize } = {}) {
  const queryKey = ['searchBlueprintEntities', search.blueprint, searchBody(search, limit)];
  const found = useInfiniteQuery<
    AnswerOf<'searchBlueprintEntities'>,
    Error,
    InfiniteData<AnswerOf<'searchBlueprintEntities'>>,
    readonly unknown[],
    string | undefined
  >({
    queryKey,
    enabled: isOn,
    initialPageParam: undefined,
    placeholderData: (previous, query) => (query?.queryKey[1] === search.blueprint ? previous : undefined),
    queryFn: ({ pageParam, signal }) =>
      call('searchBlueprintEntities', {
        params: { blueprint_identifier: search.blueprint },
        body: searchBody(search, limit, pageParam),
        signal,
      }),
    getNextPageParam: (last) => last.next,
  });
  const rows = useMemo(() => found.data?.pages.flatMap(({ entities }) => entities) ?? [], [found.data]);
  return { found, rows, begunAt: useBeginning(queryKey) };
}
