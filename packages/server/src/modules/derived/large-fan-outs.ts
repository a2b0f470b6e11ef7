import { createGrowingCache } from '../../platform/growing-cache.ts';
import type { RelationPath } from './relation-path.ts';

/**
 * Most ends counted within a write; beyond that it leaves a mark, and the job counts once for all writes. Nine hundred
 * take 3.6 ms on two busy cores, and every changed entity would count them again: a bulk of 20 took 10.7 ms with
 * counting and 4.2 with marks.
 */
const endsMax = 1_000;

/** Starts with more ends at the last count; forgotten ones are found by counting once. */
const wide = createGrowingCache<true>(50_000);

export function recordFanOut(
  orgId: string,
  route: RelationPath,
  counted: readonly { start: number; ends: number }[],
): void {
  for (const { start, ends } of counted) {
    if (ends > endsMax) wide.set(fanOutKey(orgId, route, start), true);
    else if (wide.size > 0) wide.delete(fanOutKey(orgId, route, start));
  }
}

export function isLargeFanOut(orgId: string, route: RelationPath, start: number): boolean {
  return wide.size > 0 && wide.has(fanOutKey(orgId, route, start));
}

function fanOutKey(orgId: string, route: RelationPath, start: number): string {
  return `${orgId}/${start}/${route.id}`;
}
