import { useSyncExternalStore } from 'react';
import { heardSoFar, type LiveNews, onLive } from './live.ts';

/** Rows of one blueprint that changed since a read began. */
export interface HeardChanges {
  readonly rows: number;
  /** Whether there were others, which the stream did not name. */
  readonly isMany: boolean;
}

/** More rows of a blueprint, and more blueprints, are not told apart. */
const namedMax = 1_000;
const blueprintsMax = 200;
const unnamed = '';

/** By blueprint, with which of all news each entity was heard of last. */
const heard = new Map<string, Map<string, number>>();
let lostAt = 0;

// of a list whose answer is under way, or which is not on the screen just now, nobody else remembers what was told
onLive(keepHeard);

function keepHeard(news: LiveNews): void {
  const at = heardSoFar();
  if (!news) return loseAll(at);
  for (const { resource, blueprint, entity } of news) {
    if (resource !== 'entity' || blueprint === undefined) continue;
    const before = heard.get(blueprint) ?? new Map<string, number>();
    const rows = before.size < namedMax ? before : new Map([[unnamed, at]]);
    heard.set(blueprint, rows.set(entity ?? unnamed, at));
  }
  if (heard.size > blueprintsMax) loseAll(at);
}

function loseAll(at: number): void {
  lostAt = at;
  heard.clear();
}

/** What was heard of a blueprint since a read began; `begun` is what `heardSoFar` was then. */
export function heardSince(blueprint: string, begun: number): HeardChanges {
  const later = [...(heard.get(blueprint) ?? [])].filter(([, at]) => at > begun).map(([entity]) => entity);
  const isMany = lostAt > begun || later.includes(unnamed);
  return { rows: later.filter((entity) => entity !== unnamed).length, isMany };
}

/** Whoever reads anew because of a change has begun by then, and shows no sign of it. */
const drawMs = 50;

/** Draws anew soon after every change that is heard. */
export function useHeard(): void {
  useSyncExternalStore(watchHeard, heardSoFar);
}

function watchHeard(draw: () => void): () => void {
  return onLive(() => void setTimeout(draw, drawMs));
}
