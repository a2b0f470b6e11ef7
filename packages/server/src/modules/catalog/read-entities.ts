import type { SearchQuery } from '@portolan/contract';
import sql, { type Sql } from 'sql-template-tag';
import type { Actor } from '../../platform/actor.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { invalidRequest, notFound } from '../../platform/errors.ts';
import { findBlueprint, listBlueprintRows, type StoredBlueprint } from '../blueprints/index.ts';
import { can } from '../identity/index.ts';
import { allOf, countEntityRows, findEntity, selectEntities, teamForm } from './entity.store.ts';
import type { ReadEntity } from './entity.ts';
import { entityMissing } from './errors.ts';
import { isNarrowed, readCondition } from './read-condition.ts';
import { type CompileContext, compileQuery } from './search/compile-query.ts';

/** What reading needs. */
export interface ReadDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/** Entities of one blueprint, with the blueprint that explains them. */
export interface Page {
  readonly blueprint: StoredBlueprint;
  readonly entities: readonly ReadEntity[];
  /** Where the next page begins; undefined on the last. */
  readonly next: string | undefined;
}

/** The blueprint, if the caller may read its entities. @throws AppError `not_found` otherwise */
async function readableBlueprint({ database }: ReadDeps, actor: Actor, identifier: string): Promise<StoredBlueprint> {
  const blueprint = await findBlueprint(database, actor.orgId, identifier);
  if (!blueprint || !can(actor, 'read', blueprint)) throw notFound('Blueprint', identifier);
  return blueprint;
}

/** @throws AppError `not_found` for an entity that is not there or that the caller may not read */
export async function getEntity(deps: ReadDeps, actor: Actor, blueprintIdentifier: string, identifier: string) {
  const blueprint = await readableBlueprint(deps, actor, blueprintIdentifier);
  const where = { orgId: actor.orgId, blueprintKey: blueprint.key, identifier };
  const entity = await findEntity(deps.database, where, teamForm(actor.model), readCondition(actor, blueprint));
  if (!entity) throw entityMissing(blueprint, identifier);
  return { blueprint, entity };
}

export interface SearchInput {
  readonly query?: SearchQuery | undefined;
  readonly limit?: number | undefined;
  /** `next` of the page before. */
  readonly from?: string | null | undefined;
}

/** One page of the entities of a blueprint that match, in the order they were created. */
export async function searchBlueprint(
  deps: ReadDeps,
  actor: Actor,
  blueprintIdentifier: string,
  { query, limit, from }: SearchInput,
): Promise<Page> {
  const blueprint = await readableBlueprint(deps, actor, blueprintIdentifier);
  const condition = conditionFor(deps, actor, blueprint, query);
  const page = { afterKey: from ? keyOfCursor(from) : undefined, limit: limit === undefined ? undefined : limit + 1 };
  const found = await selectEntities(deps.database, actor.orgId, condition, page, teamForm(actor.model));
  const entities = limit === undefined ? found : found.slice(0, limit);
  const last = found.length > entities.length ? entities.at(-1) : undefined;
  return { blueprint, entities, next: last ? cursorOf(last.key) : undefined };
}

/** Counts what `searchBlueprint` would answer over all its pages. */
export async function countBlueprint(
  deps: ReadDeps,
  actor: Actor,
  blueprintIdentifier: string,
  query?: SearchQuery,
): Promise<number> {
  const blueprint = await readableBlueprint(deps, actor, blueprintIdentifier);
  return countEntityRows(deps.database, actor.orgId, conditionFor(deps, actor, blueprint, query));
}

/** Entities of all blueprints that the caller may read and that match. */
export async function searchEverything(
  { database, clock }: ReadDeps,
  actor: Actor,
  query: SearchQuery,
  limit?: number,
) {
  const all = await listBlueprintRows(database, actor.orgId);
  const readable = all.filter((blueprint) => can(actor, 'read', blueprint));
  const permitted = readable
    .filter((blueprint) => isNarrowed(actor, blueprint))
    .map((blueprint) => sql`(e.blueprint_key <> ${blueprint.key} or ${readCondition(actor, blueprint)})`);
  const keys = readable.map(({ key }) => key);
  const condition = allOf([
    sql`e.blueprint_key = any(${keys}::bigint[])`,
    ...permitted,
    compileQuery(query, contextOf(actor, clock)),
  ]);
  const entities = await selectEntities(database, actor.orgId, condition, { limit }, teamForm(actor.model));
  return { entities, blueprints: new Map(readable.map((blueprint) => [blueprint.key, blueprint])) };
}

function conditionFor(
  { clock }: ReadDeps,
  actor: Actor,
  blueprint: StoredBlueprint,
  query: SearchQuery | undefined,
): Sql {
  return allOf([
    sql`e.blueprint_key = ${blueprint.key}`,
    readCondition(actor, blueprint),
    ...(query ? [compileQuery(query, contextOf(actor, clock))] : []),
  ]);
}

function contextOf(actor: Actor, clock: Clock): CompileContext {
  return { orgId: actor.orgId, now: clock.now(), teamForm: teamForm(actor.model), teamKeys: actor.teamKeys };
}

/** Opaque to callers; the version lets the form change. */
function cursorOf(key: number): string {
  return Buffer.from(`1:${key}`).toString('base64url');
}

function keyOfCursor(cursor: string): number {
  const read = /^1:(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString());
  if (!read) {
    throw invalidRequest([{ path: '/from', message: 'is not a cursor of this search' }]);
  }
  return Number(read[1]);
}
