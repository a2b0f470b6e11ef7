import type { EntityBody, EntityWriteBody, RelationValue } from '@portolan/contract/entities';
import { type IdQuery, isIdQuery } from '@portolan/contract/id-query';
import type { SearchQuery } from '@portolan/contract/search-query';
import { AppError, invalidRequest } from '../../platform/errors.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { openScope, readCondition } from '../access/index.ts';
import { findTeamsByIdentifier } from '../accounts/index.ts';
import { blueprintProperties, blueprintRelations, findBlueprint, type StoredBlueprint } from '../blueprints/index.ts';
import { compileQuery, ofBlueprint, transactionReader } from '../entity-query/index.ts';
import { allOf } from '../entity-rows/index.ts';
import { can } from '../rights/index.ts';
import { listMatches, type Match } from './visible.store.ts';

const matchesMax = 100;

/** A body without queries, with the teams that queries found. */
export interface ResolvedBody {
  readonly body: EntityBody;
  readonly teamRefs?: readonly string[];
}

/**
 * Resolves the queries in a body: the entity itself, targets of relations, teams (api contract §3.2.4). Finds only
 * entities the caller may read and creates none.
 * @throws AppError `not_found` if no entity fits an identifier; `invalid_request` if several do, if a relation to one
 * fits several, or anything more than 100
 */
export async function resolveQueries(
  work: Work,
  blueprint: StoredBlueprint,
  body: EntityWriteBody,
): Promise<ResolvedBody> {
  const { identifier, relations, team, ...rest } = body;
  const described = isIdQuery(team) ? await resolveTeamQuery(work, team) : undefined;
  const named: EntityBody = {
    ...rest,
    ...(identifier === undefined ? {} : { identifier: await resolveIdentifier(work, blueprint, identifier) }),
    ...(team === undefined || isIdQuery(team) ? {} : { team }),
    ...(described ? { team: described.map((each) => each.identifier) } : {}),
    ...(relations === undefined ? {} : { relations: await relationsIn(work, blueprint, relations) }),
  };
  return { body: named, ...(described ? { teamRefs: described.map(({ key }) => key) } : {}) };
}

/** Whether a body contains queries, or null for all relations. */
export function hasQueries({ identifier, relations, team }: EntityWriteBody): boolean {
  if (relations === null || isIdQuery(identifier) || isIdQuery(team)) return true;
  for (const relation of Object.keys(relations ?? {})) if (isIdQuery(relations?.[relation])) return true;
  return false;
}

async function resolveIdentifier(
  work: Work,
  blueprint: StoredBlueprint,
  identifier: string | IdQuery,
): Promise<string> {
  if (!isIdQuery(identifier)) return identifier;
  const found = await findMatches(work, blueprint, identifier, '/identifier');
  const [only, ...others] = found;
  if (!only) {
    throw new AppError('not_found', `No entity of the blueprint "${blueprint.identifier}" fits the query`, {
      details: { resource: 'Entity', byField: 'query', blueprint: blueprint.identifier },
    });
  }
  if (others.length > 0) throw wrong('/identifier', `must fit exactly one entity and fits ${found.length}`);
  return only.identifier;
}

async function relationsIn(
  work: Work,
  blueprint: StoredBlueprint,
  relations: EntityWriteBody['relations'],
): Promise<Record<string, string | string[] | null>> {
  const named: Record<string, RelationValue> = {};
  const written = relations ?? Object.fromEntries(Object.keys(blueprintRelations(blueprint)).map((key) => [key, null]));
  for (const [key, value] of Object.entries(written)) {
    named[key] = isIdQuery(value) ? await resolveRelation(work, blueprint, key, value) : value;
  }
  return named as Record<string, string | string[] | null>;
}

async function resolveRelation(
  work: Work,
  blueprint: StoredBlueprint,
  key: string,
  query: IdQuery,
): Promise<RelationValue> {
  const path = `/relations/${key}`;
  const relation = Object.hasOwn(blueprintRelations(blueprint), key) ? blueprintRelations(blueprint)[key] : undefined;
  if (!relation) throw wrong(path, 'is not a relation of the blueprint');
  const target = await findBlueprint(work.tx, work.actor.orgId, relation.target);
  const found = target ? await findMatches(work, target, query, path) : [];
  if (relation.many) return found.map(({ identifier }) => identifier);
  if (found.length > 1) throw wrong(path, `takes one entity and the query fits ${found.length}`);
  return found[0]?.identifier ?? null;
}

/** Teams found by a query are exact, whatever their names would resolve to. */
async function resolveTeamQuery(work: Work, query: IdQuery) {
  const { actor, tx } = work;
  const teams = await findBlueprint(tx, actor.orgId, '_team');
  if (!teams) throw wrong('/team', 'cannot be described: teams are no entities in this organization');
  const found = await findMatches(work, teams, query, '/team');
  const identifiers = found.map(({ identifier }) => identifier);
  return findTeamsByIdentifier(tx, actor.orgId, identifiers);
}

async function findMatches(work: Work, blueprint: StoredBlueprint, query: IdQuery, path: string): Promise<Match[]> {
  assertSearchable(blueprint, query, path);
  const { tx, actor } = work;
  if (!can(actor, 'read', blueprint)) return [];
  const { orgId } = actor;
  const reading = transactionReader(work);
  const scope = await openScope(reading, actor, query as SearchQuery);
  const condition = allOf([
    ofBlueprint(blueprint.key),
    await readCondition(reading, actor, blueprint),
    compileQuery(query as SearchQuery, scope.contextOf(blueprint)),
  ]);
  const found = await listMatches(tx, orgId, condition, matchesMax + 1);
  if (found.length > matchesMax) throw wrong(path, `fits more than ${matchesMax} entities`);
  return found;
}

/** Computed properties cannot be queried, except a mirror over one relation to one (catalog semantics §1.8). */
function assertSearchable(blueprint: StoredBlueprint, query: IdQuery, path: string): void {
  query.rules.forEach((rule, index) => {
    const at = `${path}/rules/${index}`;
    if ('combinator' in rule) assertSearchable(blueprint, rule, at);
    else if (!isSearchable(blueprint, rule.property)) {
      throw wrong(`${at}/property`, 'is computed and cannot be asked for here');
    }
  });
}

function isSearchable(blueprint: StoredBlueprint, property: string): boolean {
  const { mirrorProperties = {}, calculationProperties = {}, aggregationProperties = {} } = blueprint.definition;
  if (Object.hasOwn(blueprintProperties(blueprint), property)) return true;
  if (Object.hasOwn(calculationProperties, property) || Object.hasOwn(aggregationProperties, property)) return false;
  const mirror = Object.hasOwn(mirrorProperties, property) ? mirrorProperties[property] : undefined;
  if (!mirror) return true;
  const [first = '', ...rest] = mirror.path.split('.');
  const relation = Object.hasOwn(blueprintRelations(blueprint), first)
    ? blueprintRelations(blueprint)[first]
    : undefined;
  return rest.length === 1 && relation !== undefined && !relation.many;
}

function wrong(path: string, message: string): AppError {
  return invalidRequest([{ path, message }], 'The entity');
}
