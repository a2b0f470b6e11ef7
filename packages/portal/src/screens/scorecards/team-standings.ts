interface Group {
  readonly value: unknown;
  readonly count: number;
}

/** Of a team: entities that are measured, and those that reach the level. */
export interface Standing {
  readonly team: string;
  readonly owned: number;
  readonly passed: number;
}

/** A share of fewer entities says little, so teams that own fewer are not ranked. */
const rankedFrom = 3;

/** Teams by the share of their entities that pass, the largest first; the same share by size, then by name. */
export function rankTeams(
  measured: readonly Group[],
  passing: readonly Group[],
): { readonly ranked: readonly Standing[]; readonly small: readonly Standing[] } {
  const passed = new Map(passing.map(({ value, count }) => [value, count]));
  const all = measured
    .flatMap(({ value, count }): Standing[] =>
      typeof value === 'string' && count > 0
        ? [{ team: value, owned: count, passed: Math.min(count, passed.get(value) ?? 0) }]
        : [],
    )
    .sort(
      (one, other) =>
        other.passed / other.owned - one.passed / one.owned ||
        other.owned - one.owned ||
        one.team.localeCompare(other.team),
    );
  return {
    ranked: all.filter(({ owned }) => owned >= rankedFrom),
    small: all.filter(({ owned }) => owned < rankedFrom),
  };
}
