import { useRead } from '../../api/query.ts';
import type { Share } from './distribution-bar.tsx';
import type { Level } from './scorecard-draft.ts';

/** How many entities that the user may see are at each level now, and pass and fail each rule. */
export function useDistribution(blueprint: string, scorecard: string, levels: readonly Level[], isOn = true) {
  const params = { blueprint_identifier: blueprint, scorecard_identifier: scorecard };
  const read = useRead('getScorecardResults', { params }, { isOn });
  const shares = levels.map(
    ({ title, color }): Share => ({
      title,
      color,
      count: read.data?.levels.find((level) => level.title === title)?.count ?? 0,
    }),
  );
  return { read, shares };
}
