import { connectedWith, type Links } from './model-links.ts';

const roundsMax = 20;

/**
 * Groups of blueprints with more relations within than to others, by label propagation: each takes the label that most
 * of its neighbors have, those counting more with which it shares neighbors. The order is fixed and ties are decided by
 * name, so the same model gives the same groups.
 */
export function findCommunities(identifiers: readonly string[], links: Links): readonly (readonly string[])[] {
  const members = identifiers.toSorted();
  const near = new Map(members.map((each) => [each, connectedWith(links, each)]));
  // how much a neighbor counts does not change with the labels
  const pulls = new Map(members.map((each) => [each, pullsOf(each, near)]));
  const labels = new Map(members.map((each) => [each, each]));
  // those with a neighbor that took another label since they were looked at
  const due = new Set(members);
  for (let round = 0; round < roundsMax && due.size > 0; round += 1) {
    for (const each of members) {
      if (!due.delete(each)) continue;
      const before = labels.get(each)!;
      const best = heaviestLabel(weighLabels(pulls.get(each)!, labels), before);
      if (best === before) continue;
      labels.set(each, best);
      for (const [other] of pulls.get(each)!) due.add(other);
    }
  }
  const groups = new Map<string, string[]>();
  for (const [each, label] of labels) groups.set(label, [...(groups.get(label) ?? []), each]);
  return [...groups.values()];
}

type Pulls = readonly (readonly [other: string, weight: number])[];

/** The neighbors of one that are looked at as well: each counts once, and once more for each neighbor they share. */
function pullsOf(each: string, near: ReadonlyMap<string, ReadonlySet<string>>): Pulls {
  const own = near.get(each)!;
  return [...own].flatMap((other) => {
    const its = near.get(other);
    return its ? [[other, 1 + countShared(own, its)] as const] : [];
  });
}

function countShared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [few, many] = one.size < other.size ? [one, other] : [other, one];
  let count = 0;
  for (const each of few) if (many.has(each)) count += 1;
  return count;
}

function weighLabels(pulls: Pulls, labels: ReadonlyMap<string, string>): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const [other, weight] of pulls) {
    const label = labels.get(other)!;
    weights.set(label, (weights.get(label) ?? 0) + weight);
  }
  return weights;
}

function heaviestLabel(weights: ReadonlyMap<string, number>, before: string): string {
  const most = Math.max(0, ...weights.values());
  if (most === 0 || weights.get(before) === most) return before;
  return (
    [...weights]
      .filter(([, weight]) => weight === most)
      .map(([label]) => label)
      .toSorted()[0] ?? before
  );
}
