import { connectedWith, type Links } from './model-links.ts';

/** As many cards as a layout in a worker takes, and a person reads. */
const nodesMax = 60;
/** Up to so many blueprints are all drawn; beyond, one and what is around it. */
export const allMax = 12;

/** Blueprints that are not drawn one by one, as one card. */
export interface Fold {
  readonly id: string;
  readonly lane: string;
  readonly members: readonly string[];
}

export interface FocusNodes {
  readonly shown: readonly string[];
  readonly folds: readonly Fold[];
}

/**
 * The blueprints around one, ring by ring. Where a ring does not fit, its best connected members stay and the others
 * are folded by lane; nothing beyond is drawn.
 */
export function focusNodes(
  links: Links,
  focus: string,
  depth: number,
  laneOf: (identifier: string) => string,
  most = nodesMax,
): FocusNodes {
  const shown = new Set([focus]);
  let ring: readonly string[] = [focus];
  for (let at = 0; at < depth; at += 1) {
    const next = [...new Set(ring.flatMap((each) => [...connectedWith(links, each)]))].filter(
      (each) => !shown.has(each),
    );
    const sorted = next.toSorted(
      (one, other) => connectedWith(links, other).size - connectedWith(links, one).size || (one < other ? -1 : 1),
    );
    if (shown.size + sorted.length <= most) {
      for (const each of sorted) shown.add(each);
      ring = next;
      continue;
    }
    const lanes = new Set(sorted.map(laneOf)).size;
    const kept = Math.max(0, most - shown.size - lanes);
    for (const each of sorted.slice(0, kept)) shown.add(each);
    return { shown: [...shown], folds: foldByLane(sorted.slice(kept), laneOf) };
  }
  return { shown: [...shown], folds: [] };
}

function foldByLane(members: readonly string[], laneOf: (identifier: string) => string): readonly Fold[] {
  const lanes = new Map<string, string[]>();
  for (const each of members) lanes.set(laneOf(each), [...(lanes.get(laneOf(each)) ?? []), each]);
  return [...lanes].map(([lane, of]) => ({ id: `\n${lane}`, lane, members: of }));
}
