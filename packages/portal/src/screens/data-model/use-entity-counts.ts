import { useMemo } from 'react';
import { useRead } from '../../api/query.ts';

/** Entities by blueprint, in one request; undefined until it is answered, or if it fails. */
export function useEntityCounts(withSystem: boolean): ReadonlyMap<string, number> | undefined {
  // what the platform itself keeps may be far more than all else
  const own = { property: '$blueprint', operator: 'doesNotBeginsWith', value: '_' } as const;
  const { data } = useRead('aggregateEntities', {
    body: {
      func: 'countValues',
      property: '$blueprint',
      query: { combinator: 'and', rules: withSystem ? [] : [own] },
    },
  });
  return useMemo(() => {
    if (!data || !('groups' in data.result)) return undefined;
    return new Map(data.result.groups.map(({ value, count }) => [String(value), count]));
  }, [data]);
}
