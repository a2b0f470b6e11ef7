import { LRUCache } from 'lru-cache';
import type { Route } from './relation-path.ts';

/**
 * Ends of a route that are counted within a write; where there are more, only a mark is left, and the job counts once
 * for all writes since. Nine hundred take 3.6 ms on two busy cores, and every entity that is added or changed would count
 * them again: a bulk of 20 that does took 10.7 ms, one that leaves it to the job 4.2.
 */
const endsMax = 1_000;

/** Starts that had more ends when last counted. What is forgotten is found out again by counting once. */
const wide = new LRUCache<string, true>({ max: 50_000 });

export function noteWidth(orgId: string, route: Route, counted: readonly { start: number; ends: number }[]): void {
  for (const { start, ends } of counted) {
    if (ends > endsMax) wide.set(nameOf(orgId, route, start), true);
    else if (wide.size > 0) wide.delete(nameOf(orgId, route, start));
  }
}

export function isWide(orgId: string, route: Route, start: number): boolean {
  return wide.size > 0 && wide.has(nameOf(orgId, route, start));
}

function nameOf(orgId: string, route: Route, start: number): string {
  return `${orgId}/${start}/${route.id}`;
}
