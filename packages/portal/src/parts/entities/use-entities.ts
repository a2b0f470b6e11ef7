import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type AnswerOf, call, type InputOf } from '../../api/api.ts';
import { heardSoFar } from '../../api/live.ts';
import type { Sort } from '../../kit/column.ts';
import type { Query } from './operators.ts';

type Page = AnswerOf<'searchBlueprintEntities'> & {
  /** What had been heard when it was asked for. */
  readonly begun: number;
};
export type FoundEntity = Page['entities'][number];
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
  const found = useInfiniteQuery<Page, Error, InfiniteData<Page>, readonly unknown[], string | undefined>({
    queryKey: ['searchBlueprintEntities', search.blueprint, searchBody(search, limit)],
    enabled: isOn,
    initialPageParam: undefined,
    placeholderData: (previous, query) => (query?.queryKey[1] === search.blueprint ? previous : undefined),
    queryFn: async ({ pageParam, signal }) => {
      const begun = heardSoFar();
      const page = await call('searchBlueprintEntities', {
        params: { blueprint_identifier: search.blueprint },
        body: searchBody(search, limit, pageParam),
        signal,
      });
      return { ...page, begun };
    },
    getNextPageParam: (last) => last.next,
  });
  const rows = useMemo(() => found.data?.pages.flatMap(({ entities }) => entities) ?? [], [found.data]);
  // pages that were added later change nothing of it
  const begun = found.data?.pages[0]?.begun ?? heardSoFar();
  return { found, rows, begun };
}
