import { connectedWith, type Links } from './model-links.ts';

const roundsMax = 20;

/**
 * Groups of blueprints with more relations within than to others, by label propagation: each takes the label that most
 * of its neighbors have, those counting more with which it shares neighbors. The order is fixed and ties are decided by
 * name, so the same model gives the same groups.
 */
export function findCommunities(identifiers: readonly string[], links: Links): readonly (readonly string[])[] {
  const members = identifiers.toSorted();
  const labels = new Map(members.map((each) => [each, each]));
  for (let round = 0; round < roundsMax; round += 1) {
    let isStable = true;
    for (const each of members) {
      const before = labels.get(each)!;
      const best = heaviestLabel(weighLabels(each, labels, links), before);
      if (best === before) continue;
      labels.set(each, best);
      isStable = false;
    }
    if (isStable) break;
  }
  const groups = new Map<string, string[]>();
  for (const [each, label] of labels) groups.set(label, [...(groups.get(label) ?? []), each]);
  return [...groups.values()];
}

function weighLabels(each: string, labels: ReadonlyMap<string, string>, links: Links): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  const own = connectedWith(links, each);
  for (const other of own) {
    const label = labels.get(other);
    if (label === undefined) continue;
    const shared = [...connectedWith(links, other)].filter((third) => own.has(third)).length;
    weights.set(label, (weights.get(label) ?? 0) + 1 + shared);
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
