import type { Actor } from '../../platform/actor.ts';
import type { Reader } from '../../platform/db/database.ts';
import { parseMoment } from '../../platform/moments.ts';
import { readCursor, writeCursor } from '../../platform/page-cursor.ts';
import { entityParts, type ReadDeps } from '../entities/index.ts';
import { toSql } from '../entity-query/index.ts';
import { allOf, countEntityRows, selectEntities, teamForm } from '../entity-rows/index.ts';
import { countByBlueprint, matchingDatasources, ofDatasources, seenBefore, writtenBefore } from './datasource.store.ts';
import { conditionOverAll } from './search-entities.ts';

export interface DatasourceDeps extends ReadDeps {
  /**
   * True while the caller compares a resync's stale entities with what it confirmed (decision 0065); unchanged
   * rewrites are then returned too.
   */
  readonly isWeighingStale?: ((reader: Reader, actor: Actor) => Promise<boolean>) | undefined;
}

export interface DatasourceInput {
  readonly prefix: string;
  readonly suffix: string;
  /** Only entities that were neither changed nor written again, even unchanged, since this moment. */
  readonly before?: string | null | undefined;
  /** Returns everything if absent: one client never asks for a second page. */
  readonly limit?: number | undefined;
  readonly from?: string | null | undefined;
}

/** Entities an integration wrote, in order of creation (api contract §3.2.10): one page, or all of them in parts. */
export async function searchByDatasource(
  deps: DatasourceDeps,
  actor: Actor,
  { prefix, suffix, before, limit, from }: DatasourceInput,
) {
  const afterKey = from ? readCursor(from, '[]').key : undefined;
  const { condition, blueprints } = await conditionOverAll(deps, actor, { combinator: 'and', rules: [] });
  const datasources = await matchingDatasources(deps.database, actor.orgId, prefix, suffix);
  const at = before ? parseMoment(before) : undefined;
  const whole = allOf([
    ofDatasources(datasources),
    ...(at ? [(await isWeighing(deps, actor)) ? writtenBefore(at) : seenBefore(at)] : []),
    toSql(datasources.length > 0 && condition),
  ]);
  if (limit === undefined) return { parts: entityParts(deps, actor, whole, afterKey), blueprints, next: undefined };
  const page = { afterKey, limit: limit + 1 };
  const found = await selectEntities(deps.database.standby, actor.orgId, whole, page, teamForm(actor.model));
  const entities = found.slice(0, limit);
  const last = found.length > limit ? entities.at(-1) : undefined;
  return { parts: onePart(entities), blueprints, next: last && writeCursor({ key: last.key, values: [] }, '[]') };
}

async function isWeighing({ database, isWeighingStale }: DatasourceDeps, actor: Actor): Promise<boolean> {
  return (await isWeighingStale?.(database, actor)) ?? false;
}

async function* onePart<Item>(items: readonly Item[]): AsyncGenerator<readonly Item[]> {
  yield items;
}

export interface SourceEntities {
  /** How many, by blueprint. */
  readonly counts: Readonly<Record<string, number>>;
  readonly first:
    | { readonly blueprint: string; readonly identifier: string; readonly title: string | null }
    | undefined;
}

/** What the caller sees of the entities that a source wrote last: counts, and the first that came. */
export async function entitiesOfSource(
  deps: ReadDeps,
  actor: Actor,
  prefix: string,
  suffix: string,
): Promise<SourceEntities> {
  const datasources = await matchingDatasources(deps.database, actor.orgId, prefix, suffix);
  if (datasources.length === 0) return { counts: {}, first: undefined };
  const { condition, blueprints } = await conditionOverAll(deps, actor, { combinator: 'and', rules: [] });
  const whole = allOf([ofDatasources(datasources), toSql(condition)]);
  const counted = await countByBlueprint(deps.database.standby, actor.orgId, whole);
  const [first] = await selectEntities(deps.database.standby, actor.orgId, whole, { limit: 1 }, teamForm(actor.model));
  const nameOf = (key: number): string | undefined => blueprints.get(key)?.identifier;
  const counts = counted.flatMap(({ blueprintKey, count }) => {
    const name = nameOf(blueprintKey);
    return name === undefined ? [] : [[name, count] as const];
  });
  const blueprint = first && nameOf(first.blueprintKey);
  return {
    counts: Object.fromEntries(counts),
    first:
      first && blueprint !== undefined ? { blueprint, identifier: first.identifier, title: first.title } : undefined,
  };
}

export async function countByDatasource(
  reader: Reader,
  orgId: string,
  prefix: string,
  suffix: string,
): Promise<number> {
  const datasources = await matchingDatasources(reader, orgId, prefix, suffix);
  return datasources.length === 0 ? 0 : countEntityRows(reader, orgId, ofDatasources(datasources));
}
