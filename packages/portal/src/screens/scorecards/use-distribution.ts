import { useRead } from '../../api/query.ts';
import type { Share } from './distribution-bar.tsx';
import type { Level } from './scorecard-draft.ts';

/** How many entities that the user may see are at each level now. */
export function useDistribution(blueprint: string, scorecard: string, levels: readonly Level[]) {
  const read = useRead('aggregateEntities', {
    body: {
      func: 'countValues',
      scorecard,
      query: { combinator: 'and', rules: [{ property: '$blueprint', operator: '=', value: blueprint }] },
    },
  });
  const groups = read.data && 'groups' in read.data.result ? read.data.result.groups : [];
  const shares = levels.map(
    ({ title, color }): Share => ({ title, color, count: groups.find(({ value }) => value === title)?.count ?? 0 }),
  );
  return { read, shares };
}
