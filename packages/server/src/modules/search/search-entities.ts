import type { SortKey } from '@portolan/contract/search';
import type { SearchQuery } from '@portolan/contract/search-query';
import type { Sql } from 'sql-template-tag';
import type { Actor } from '../../platform/actor.ts';
import { notFound } from '../../platform/errors.ts';
import { notOurs, readCursor, writeCursor } from '../../platform/page-cursor.ts';
import { openScope, readCondition } from '../access/index.ts';
import { type ReadUnder, readUnderBlueprint, type StoredBlueprint, stampOf } from '../blueprints/index.ts';
import { assertReadable, type ReadDeps, readableBlueprint } from '../entities/index.ts';
import {
  type Condition,
  compileCondition,
  ofBlueprint,
  ofBlueprints,
  or,
  sortOrder,
  toSql,
} from '../entity-query/index.ts';
import {
  allOf,
  countEntityRows,
  type ReadEntity,
  selectEntities,
  selectSorted,
  teamForm,
} from '../entity-rows/index.ts';
import { matchingBlueprints } from './matching-blueprints.ts';
import { groupSame } from './read-parts.sql.ts';

/** Entities of one blueprint, with the blueprint that explains them. */
export interface Page {
  readonly blueprint: StoredBlueprint;
  readonly entities: readonly ReadEntity[];
  /** Where the next page begins; undefined on the last. */
  readonly next: string | undefined;
}

export interface SearchInput {
  readonly query?: SearchQuery | undefined;
  /** All entities if absent. */
  readonly limit?: number | undefined;
  /** `next` of the page before. */
  readonly from?: string | null | undefined;
  readonly sort?: readonly SortKey[] | undefined;
}

/** One page of the entities of a blueprint that match; in the order they were created unless sorted. */
export async function searchBlueprint(
  deps: ReadDeps,
  actor: Actor,
  blueprintIdentifier: string,
  input: SearchInput,
): Promise<Page> {
  const page = await readUnderBlueprint(deps.database, actor.orgId, blueprintIdentifier, (blueprint) =>
    readPage(deps, actor, blueprint, input),
  );
  if (!page) throw notFound('Blueprint', blueprintIdentifier);
  return page;
}

async function readPage(
  deps: ReadDeps,
  actor: Actor,
  blueprint: StoredBlueprint,
  { query, limit, from, sort = [] }: SearchInput,
): Promise<ReadUnder<Page>> {
  assertReadable(actor, blueprint);
  const context = (await openScope(deps, actor, query)).contextOf(blueprint);
  const order = sortOrder(sort, context);
  const position = from ? readCursor(from, order.id) : undefined;
  if (position && !order.isPosition(position)) throw notOurs();
  const matching = query ? compileCondition(query, context) : true;
  if (matching === false) return { value: { blueprint, entities: [], next: undefined }, stamp: undefined };
  const readable = await readCondition(deps, actor, blueprint);
  const base = allOf([ofBlueprint(blueprint.key), readable, toSql(matching)]);
  const wanted = limit === undefined ? undefined : limit + 1;
  const shown = teamForm(actor.model);
  const found = [];
  for (const part of order.partsAfter(position)) {
    const left: number | undefined = wanted === undefined ? undefined : wanted - found.length;
    const by = { ...part, ...order, condition: allOf([base, part.condition]), limit: left };
    const rows = await selectSorted(deps.database, actor.orgId, by, shown, stampOf(blueprint));
    found.push(...rows);
    if (wanted !== undefined && found.length >= wanted) break;
  }
  const entities = limit === undefined ? found : found.slice(0, limit);
  const last = found.length > entities.length ? entities.at(-1) : undefined;
  const next = last && writeCursor({ key: last.key, values: last.sortedBy }, order.id);
  // of several statements the last one tells: a state that was left never comes back
  return { value: { blueprint, entities, next }, stamp: found.at(-1)?.stamp };
}

/** Counts what `searchBlueprint` would answer over all its pages. */
export async function countBlueprint(
  deps: ReadDeps,
  actor: Actor,
  blueprintIdentifier: string,
  query?: SearchQuery,
): Promise<number> {
  const blueprint = await readableBlueprint(deps, actor, blueprintIdentifier);
  const condition = await conditionWithin(deps, actor, blueprint, query);
  return countEntityRows(deps.database, actor.orgId, condition);
}

/** What of one blueprint the caller may read and a query matches. */
async function conditionWithin(
  deps: ReadDeps,
  actor: Actor,
  blueprint: StoredBlueprint,
  query: SearchQuery | undefined,
): Promise<Sql> {
  const context = (await openScope(deps, actor, query)).contextOf(blueprint);
  const matching = toSql(query ? compileCondition(query, context) : true);
  return allOf([ofBlueprint(blueprint.key), await readCondition(deps, actor, blueprint), matching]);
}

/** What of all blueprints the caller may read and a query matches. */
export interface Everything {
  readonly condition: Condition;
  /** The blueprints the caller may read, by key. */
  readonly blueprints: ReadonlyMap<number, StoredBlueprint>;
  /** The parts of the condition, each with the blueprints it is for. */
  readonly parts: readonly SearchedPart[];
}

export interface SearchedPart {
  readonly blueprints: readonly StoredBlueprint[];
  /** What entities of any of the blueprints have to satisfy. */
  readonly matching: Sql;
  /** The same, and that they are of one of the blueprints. */
  readonly condition: Sql;
}

/** Blueprints for which a query comes to the same are searched together; those it cannot match are left out. */
export async function conditionOverAll(deps: ReadDeps, actor: Actor, query: SearchQuery): Promise<Everything> {
  const { readable, matching } = await matchingBlueprints(deps, actor, query);
  const parts = groupSame(matching, ({ condition }) => condition).map(({ blueprints, first }) => ({
    blueprints,
    matching: first.condition,
    condition: allOf([ofBlueprints(blueprints.map(({ key }) => key)), first.condition]),
  }));
  return {
    condition: or(parts.map(({ condition }) => condition)),
    blueprints: new Map(readable.map((blueprint) => [blueprint.key, blueprint])),
    parts,
  };
}

/** Entities of all blueprints that the caller may read and that match. */
export async function searchEverything(deps: ReadDeps, actor: Actor, query: SearchQuery, limit?: number) {
  const { condition, blueprints } = await conditionOverAll(deps, actor, query);
  if (condition === false) return { entities: [], blueprints };
  const form = teamForm(actor.model);
  const entities = await selectEntities(deps.database, actor.orgId, toSql(condition), { limit }, form);
  return { entities, blueprints };
}
