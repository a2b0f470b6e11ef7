import type { Json, JsonObject, OrganizationDocuments, OrganizationModel } from './documents.ts';
import { isObject } from './json-pointer.ts';
import type { MigrationChoices, RemovedRelation } from './plan.ts';
import { assignTeamIdentifiers } from './team-identifier.ts';

export interface BlueprintFacts {
  readonly identifier: string;
  readonly relations: ReadonlyMap<string, { readonly target: string; readonly many: boolean }>;
  readonly properties: ReadonlySet<string>;
  /** Properties whose values are names of teams: `format: team`, and mirrors of `$team`. */
  readonly teamProperties: ReadonlySet<string>;
}

/** Organization-wide facts that the search for references needs. */
export interface ReferenceContext {
  readonly model: OrganizationModel;
  /** Identifiers by title, only where they differ and the title is unique. */
  readonly identifierOf: ReadonlyMap<string, string>;
  readonly titles: ReadonlySet<string>;
  readonly identifiers: ReadonlySet<string>;
  readonly blueprints: ReadonlyMap<string, BlueprintFacts>;
  /** Relations that the migration removes or has removed, by blueprint. */
  readonly removed: ReadonlyMap<string, ReadonlySet<string>>;
  readonly removedNames: ReadonlySet<string>;
  /** Blueprints from which others inherit their teams. */
  readonly inheritanceTargets: ReadonlySet<string>;
}

export interface ReferenceOptions extends MigrationChoices {
  /** For a migrated organization: the relations that the migration removed. */
  readonly removedRelations?: readonly RemovedRelation[];
}

export function referenceContext(documents: OrganizationDocuments, options: ReferenceOptions = {}): ReferenceContext {
  const assignments = assignTeamIdentifiers(documents.teams, options.identifiers, documents.model);
  const identifiers = new Set(assignments.map(({ identifier }) => identifier));
  const identifierOf = new Map<string, string>();
  const seen = new Set<string>();
  for (const { title, identifier } of assignments) {
    if (seen.has(title)) identifierOf.delete(title);
    // after the migration a text that is both a title and an identifier counts as the identifier
    else if (title !== identifier && !(documents.model === 'blueprints' && identifiers.has(title)))
      identifierOf.set(title, identifier);
    seen.add(title);
  }
  const removed = new Map<string, Set<string>>();
  const list = [...findRemovedRelations(documents), ...(options.removedRelations ?? [])];
  for (const { blueprint, relation } of list)
    removed.set(blueprint, (removed.get(blueprint) ?? new Set()).add(relation));
  const blueprints = new Map(
    documents.blueprints.map(({ blueprint }) => [toText(blueprint['identifier']), toFacts(blueprint)]),
  );
  return {
    model: documents.model,
    identifierOf,
    titles: new Set(assignments.map(({ title }) => title)),
    identifiers,
    blueprints,
    removed,
    removedNames: new Set(list.map(({ relation }) => relation)),
    inheritanceTargets: new Set(
      documents.blueprints.flatMap(({ blueprint }) => inheritanceTarget(blueprint, blueprints)),
    ),
  };
}

/** Rule 3: in the beta, the direct relation to `_team` over which a blueprint inherits its teams. */
export function findRemovedRelations({ model, blueprints }: OrganizationDocuments): RemovedRelation[] {
  if (model !== 'beta') return [];
  return blueprints.flatMap(({ blueprint }) => {
    const relation = inheritancePath(blueprint);
    const target = relation === undefined ? undefined : objectAt(objectAt(blueprint, 'relations'), relation)['target'];
    return target === '_team' ? [{ blueprint: toText(blueprint['identifier']), relation: relation! }] : [];
  });
}

/** The blueprint at the end of an inheritance path; undefined if the path is broken or ends at teams. */
function inheritanceTarget(blueprint: JsonObject, blueprints: ReadonlyMap<string, BlueprintFacts>): string[] {
  const path = inheritancePath(blueprint);
  if (path === undefined) return [];
  let at: string | undefined = toText(blueprint['identifier']);
  let from: string | undefined;
  for (const hop of path.split('.')) {
    if (hop === '$team') continue;
    from = at;
    at = at === undefined ? undefined : blueprints.get(at)?.relations.get(hop)?.target;
  }
  const end = at === '_team' ? from : at;
  return end !== undefined && blueprints.has(end) && end !== toText(blueprint['identifier']) ? [end] : [];
}

export function inheritancePath(blueprint: JsonObject): string | undefined {
  const path = objectAt(blueprint, 'teamInheritance')['path'];
  return typeof path === 'string' ? path : undefined;
}

function toFacts(blueprint: JsonObject): BlueprintFacts {
  const properties = objectAt(objectAt(blueprint, 'schema'), 'properties');
  const mirrors = objectAt(blueprint, 'mirrorProperties');
  const teamProperties = Object.entries(properties)
    .filter(([, property]) => isTeamFormat(property))
    .map(([key]) => key);
  for (const [key, mirror] of Object.entries(mirrors)) {
    if (isObject(mirror) && /(^|\.)\$team$/.test(toText(mirror['path']))) teamProperties.push(key);
  }
  return {
    identifier: toText(blueprint['identifier']),
    relations: new Map(
      Object.entries(objectAt(blueprint, 'relations')).map(([key, relation]) => [
        key,
        {
          target: isObject(relation) ? toText(relation['target']) : '',
          many: isObject(relation) && relation['many'] === true,
        },
      ]),
    ),
    properties: new Set([
      ...Object.keys(properties),
      ...Object.keys(mirrors),
      ...Object.keys(objectAt(blueprint, 'calculationProperties')),
      ...Object.keys(objectAt(blueprint, 'aggregationProperties')),
    ]),
    teamProperties: new Set(teamProperties),
  };
}

export function isTeamFormat(property: Json | undefined): boolean {
  return isObject(property) && (property['format'] === 'team' || objectAt(property, 'items')['format'] === 'team');
}

export type PlannedRelationChange = 'removed' | 'review' | 'kept' | 'none';

/**
 * The planned change of a relation by name: `removed`; `kept` although it leads to teams; `review` for the name `teams`
 * if the blueprint has no such relation; `none` if it is unrelated to teams.
 */
export function plannedRelationChange(
  world: ReferenceContext,
  blueprint: string | undefined,
  relation: string,
): PlannedRelationChange {
  if (blueprint !== undefined && world.removed.get(blueprint)?.has(relation)) return 'removed';
  const facts = blueprint === undefined ? undefined : world.blueprints.get(blueprint);
  if (facts === undefined) {
    if (world.removedNames.has(relation)) return 'removed';
    const targets = [...world.blueprints.values()].flatMap((each) => each.relations.get(relation)?.target ?? []);
    return relation === 'teams' && targets.every((target) => target === '_team') ? 'review' : 'none';
  }
  const target = facts.relations.get(relation)?.target;
  if (relation !== 'teams' || (target !== undefined && target !== '_team')) return 'none';
  return target === undefined ? 'review' : 'kept';
}

/** Whether the removed relation led to a single team, so that its value was not a list. */
export function wasSingle(world: ReferenceContext, blueprint: string | undefined, relation: string): boolean {
  const owners = blueprint === undefined ? [...world.blueprints.keys()] : [blueprint];
  const known = owners
    .filter((owner) => world.removed.get(owner)?.has(relation))
    .flatMap((owner) => world.blueprints.get(owner)?.relations.get(relation) ?? []);
  return known.length > 0 && known.every(({ many }) => !many);
}

const nothing: JsonObject = {};

export function objectAt(value: Json | undefined, key: string): JsonObject {
  const inner = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return isObject(inner) ? inner : nothing;
}

export function listAt(value: Json | undefined, key: string): readonly Json[] {
  const inner = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return Array.isArray(inner) ? inner : [];
}

export function toText(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
