import type { BlueprintBody } from '@portolan/contract/blueprints';
import type { Issue } from '@portolan/contract/errors';
import { AppError } from '../../platform/errors.ts';
import { type BlueprintDefinition, ownershipPath, type StoredBlueprint } from './blueprint.ts';

/**
 * Refuses cycles of ownership paths over any number of blueprints. A path that leads nowhere is no issue: its relations
 * may come with a later change.
 */
export function checkOwnership(
  others: readonly StoredBlueprint[],
  body: BlueprintBody,
  before?: Pick<StoredBlueprint, 'definition'>,
): Issue[] {
  const definitions = new Map<string, BlueprintDefinition>(
    others.map(({ identifier, definition }) => [identifier, definition]),
  );
  definitions.set(body.identifier, body);
  // paths from the migration of users and teams may use relations to many, and still do
  const isKept = before !== undefined && ownershipPath(before.definition) === ownershipPath(body);
  const shape = isKept ? [] : checkOwnershipPath(body, definitions);
  if (shape.length > 0) return shape;
  const visited = new Set<string>();
  let at: string | undefined = body.identifier;
  while (at !== undefined) {
    if (visited.has(at)) return [{ path: '/ownership/path', message: 'leads back to where it begins' }];
    visited.add(at);
    at = findOwner(at, definitions);
  }
  return [];
}

/** The blueprint whose owners another inherits; undefined if none. */
function findOwner(identifier: string, definitions: ReadonlyMap<string, BlueprintDefinition>): string | undefined {
  const definition = definitions.get(identifier);
  const path = definition && ownershipPath(definition);
  if (path === undefined) return undefined;
  let at: string | undefined = identifier;
  for (const segment of pathSegments(path)) at = findRelation(at, segment, definitions)?.target;
  return at;
}

function pathSegments(path: string): string[] {
  return path.split('.').filter((segment) => segment !== '$team');
}

type Definitions = ReadonlyMap<string, BlueprintDefinition>;

function findRelation(blueprint: string | undefined, key: string, definitions: Definitions) {
  const relations = blueprint === undefined ? undefined : definitions.get(blueprint)?.relations;
  return relations && Object.hasOwn(relations, key) ? relations[key] : undefined;
}

/**
 * Owners are inherited over relations to one, because a list of owners has no precedence (specification, Resources).
 */
function checkOwnershipPath(body: BlueprintBody, definitions: Definitions): Issue[] {
  const path = ownershipPath(body);
  if (path === undefined) return [];
  const at = body.ownership ? '/ownership/path' : '/teamInheritance/path';
  if (!/^(?:[A-Za-z0-9@_=\\-]+\.)*(?:[A-Za-z0-9@_=\\-]+|\$team)$/.test(path)) {
    return [{ path: at, message: 'must be relation keys with dots between, at most $team at the end' }];
  }
  // a legacy path may end in the relation to teams, which is many in the beta's own blueprints
  if (!body.ownership) return [];
  let blueprint: string | undefined = body.identifier;
  for (const segment of pathSegments(path)) {
    const relation = findRelation(blueprint, segment, definitions);
    if (relation?.many) return [{ path: at, message: `"${segment}" is a relation to many` }];
    blueprint = relation?.target;
  }
  return [];
}

/**
 * The path of an aggregation must consist of existing relations from its start (catalog semantics §1.7).
 * @throws AppError `not_found` naming the first that does not exist
 */
export function checkPathFilters(
  others: readonly StoredBlueprint[],
  body: BlueprintBody,
  oldIdentifier?: string,
): void {
  const definitions = new Map<string, BlueprintDefinition>(
    others.map(({ identifier, definition }) => [identifier, definition]),
  );
  // during a rename the body may still use the old name
  if (oldIdentifier !== undefined) definitions.set(oldIdentifier, body);
  definitions.set(body.identifier, body);
  for (const [aggregation, { pathFilter }] of Object.entries(body.aggregationProperties ?? {})) {
    for (const { path, fromBlueprint } of pathFilter ?? []) {
      let at: string | undefined = fromBlueprint ?? body.identifier;
      for (const segment of path) {
        if (segment === '$team') {
          at = '_team';
          continue;
        }
        const relation: { readonly target: string } | undefined = findRelation(at, segment, definitions);
        if (!relation) throw relationMissing(segment, at, aggregation);
        at = relation.target;
      }
    }
  }
}

function relationMissing(relation: string, blueprint: string | undefined, aggregation: string): AppError {
  const message = `Relation with identifier "${relation}" of the blueprint "${blueprint}" was not found`;
  return new AppError('not_found', message, {
    details: { resource: 'Relation', byField: 'identifier', withValue: relation, aggregation },
  });
}
