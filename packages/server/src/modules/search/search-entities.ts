import type { SortKey } from '@portolan/contract/search';
import type { SearchQuery } from '@portolan/contract/search-query';
import type { Sql } from 'sql-template-tag';
import type { Actor } from '../../platform/actor.ts';
import { notFound } from '../../platform/errors.ts';
import { notOurs, readCursor, writeCursor } from '../../platform/page-cursor.ts';
import { openScope, readCondition } from '../access/index.ts';
import { blueprintStamp, type ReadUnder, readUnderBlueprint, type StoredBlueprint } from '../blueprints/index.ts';
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

export interface Page {
  readonly blueprint: StoredBlueprint;
  readonly entities: readonly ReadEntity[];
  /** Undefined on the last page. */
  readonly next: string | undefined;
}

export interface SearchInput {
  readonly query?: SearchQuery | undefined;
  /** All entities if absent. */
  readonly limit?: number | undefined;
  readonly from?: string | null | undefined;
  readonly sort?: readonly SortKey[] | undefined;
}

/** One page of matching entities, in order of creation unless sorted. */
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
    const rows = await selectSorted(deps.database.standby, actor.orgId, by, shown, blueprintStamp(blueprint));
    found.push(...rows);
    if (wanted !== undefined && found.length >= wanted) break;
  }
  const entities = limit === undefined ? found : found.slice(0, limit);
  const last = found.length > entities.length ? entities.at(-1) : undefined;
  const next = last && writeCursor({ key: last.key, values: last.sortedBy }, order.id);
  // the last statement's stamp is the newest state; an earlier state never returns
  return { value: { blueprint, entities, next }, stamp: found.at(-1)?.stamp };
}

export async function countBlueprint(
  deps: ReadDeps,
  actor: Actor,
  blueprintIdentifier: string,
  query?: SearchQuery,
): Promise<number> {
  const blueprint = await readableBlueprint(deps, actor, blueprintIdentifier);
  const condition = await conditionWithin(deps, actor, blueprint, query);
  return countEntityRows(deps.database.standby, actor.orgId, condition);
}

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

export interface SearchedRows {
  readonly condition: Condition;
  /** By key. */
  readonly blueprints: ReadonlyMap<number, StoredBlueprint>;
  /** The parts of the condition, each with the blueprints it is for. */
  readonly parts: readonly SearchedPart[];
}

export interface SearchedPart {
  readonly blueprints: readonly StoredBlueprint[];
  /** Condition without the blueprint; holds for entities of any of them. */
  readonly matching: Sql;
  /** `matching` and the blueprint. */
  readonly condition: Sql;
}

/** Blueprints with the same condition share one statement part; those that cannot match are left out. */
export async function conditionOverAll(deps: ReadDeps, actor: Actor, query: SearchQuery): Promise<SearchedRows> {
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

export async function searchEverything(deps: ReadDeps, actor: Actor, query: SearchQuery, limit?: number) {
  const { condition, blueprints } = await conditionOverAll(deps, actor, query);
  if (condition === false) return { entities: [], blueprints };
  const form = teamForm(actor.model);
  const entities = await selectEntities(deps.database.standby, actor.orgId, toSql(condition), { limit }, form);
  return { entities, blueprints };
}
