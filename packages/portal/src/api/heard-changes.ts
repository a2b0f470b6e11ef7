import type { LiveChange } from '@portolan/contract/live';

/** The changes; undefined if too many happened to list. */
export type LiveNews = readonly LiveChange[] | undefined;

/** Rows of one blueprint that changed since a moment. */
export interface HeardChanges {
  readonly rows: number;
  /** Whether there were others, which the stream did not name. */
  readonly isMany: boolean;
}

/** More rows of a blueprint, and more blueprints, are not told apart. */
const namedMax = 1_000;
const blueprintsMax = 200;
const unnamed = '';

/** When each entity was last heard of, by blueprint. */
const heard = new Map<string, Map<string, number>>();
let lostAt = 0;
let version = 0;

/**
 * Remembers what the live stream told of entities: of a list whose answer is under way, or which is not on the screen just
 * now, nobody else does.
 */
export function keepHeard(news: LiveNews): void {
  const at = Date.now();
  version += 1;
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

export function heardVersion(): number {
  return version;
}

/** What was heard of a blueprint after a moment. */
export function heardSince(blueprint: string, moment: number): HeardChanges {
  const later = [...(heard.get(blueprint) ?? [])].filter(([, at]) => at > moment).map(([entity]) => entity);
  const isMany = lostAt > moment || later.includes(unnamed);
  return { rows: later.filter((entity) => entity !== unnamed).length, isMany };
}
