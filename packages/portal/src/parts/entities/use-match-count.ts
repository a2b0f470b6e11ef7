import { useRead } from '../../api/query.ts';
import type { EntitySearch } from './use-entities.ts';

/** How many entities match a search, as the server counts them; undefined until it has, and while it is not asked. */
export function useMatchCount(
  { blueprint, query }: Pick<EntitySearch, 'blueprint' | 'query'>,
  { isOn = true, keepsPrevious = false } = {},
): number | undefined {
  const counted = useRead(
    'groupBlueprintEntities',
    {
      params: { blueprint_identifier: blueprint },
      body: { groupBy: '$createdBy', limit: 1, ...(query && query.rules.length > 0 ? { query } : {}) },
    },
    { isOn, keepsPrevious },
  );
  return isOn ? counted.data?.total : undefined;
}
