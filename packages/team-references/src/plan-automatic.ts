import type { Json, JsonObject, OrganizationDocuments, Resource, ResourceKind } from './documents.ts';
import { gone } from './find-in-query.ts';
import { formatPointer, isObject } from './json-pointer.ts';
import type { AutomaticChange, AutomaticPlan, MigrationChoices, PlanProblem } from './plan.ts';
import { planPermissions } from './plan-permissions.ts';
import { checkInheritance, checkTeams } from './plan-problems.ts';
import {
  findRemovedRelations,
  inheritancePath,
  listAt,
  objectAt,
  type ReferenceContext,
  referenceContext,
  toText,
} from './reference-context.ts';
import { assignTeamIdentifiers } from './team-identifier.ts';

/**
 * The automatic changes of the migration: the four rules, and what keeps the platform's own references intact. Pure and
 * deterministic: the same documents and choices give the same plan.
 */
export function planAutomatic(documents: OrganizationDocuments, choices: MigrationChoices = {}): AutomaticPlan {
  const world = referenceContext(documents, choices);
  const teams = assignTeamIdentifiers(documents.teams, choices.identifiers, documents.model);
  const removedRelations = findRemovedRelations(documents);
  const changes: AutomaticChange[] = [];
  const problems: PlanProblem[] = [...checkTeams(documents, teams), ...checkInheritance(documents, world)];
  if (documents.model === 'blueprints') return { teams, removedRelations, changes, problems };
  const implied = choices.impliedRewrites !== false;
  for (const { blueprint, permissions, entitiesWithTeam } of documents.blueprints) {
    const resource = toResource('blueprint', blueprint);
    changes.push(...planOwnership(resource, blueprint, entitiesWithTeam, world, implied));
    if (implied) changes.push(...planPaths(resource, blueprint, world));
    if (permissions !== null) {
      const removed = implied ? (world.removed.get(resource.identifier) ?? new Set<string>()) : new Set<string>();
      planPermissions(toResource('blueprint-permissions', blueprint), permissions, removed, world, changes, problems);
    }
  }
  const nothingRemoved = new Set<string>();
  for (const { action, permissions } of documents.actions) {
    if (permissions !== null)
      planPermissions(toResource('action-permissions', action), permissions, nothingRemoved, world, changes, problems);
  }
  for (const { page, permissions } of documents.pages) {
    if (permissions !== null)
      planPermissions(toResource('page-permissions', page), permissions, nothingRemoved, world, changes, problems);
  }
  return { teams, removedRelations, changes, problems };
}

function toResource(kind: ResourceKind, document: JsonObject): Resource {
  const identifier = toText(document['identifier']);
  return { kind, identifier, title: toText(document['title']) || identifier };
}

/** Rules 3, 2 and 1; the first that matches applies. */
function planOwnership(
  resource: Resource,
  blueprint: JsonObject,
  entitiesWithTeam: number | undefined,
  world: ReferenceContext,
  implied: boolean,
): AutomaticChange[] {
  const path = inheritancePath(blueprint);
  const change = (
    rule: AutomaticChange['rule'],
    pointer: string,
    before: Json | undefined,
    after: Json,
    note?: string,
  ): AutomaticChange => ({
    rule,
    resource,
    pointer,
    before: before ?? null,
    after,
    ...(note === undefined ? {} : { note }),
  });
  const inheritance = blueprint['teamInheritance'];
  const { ownership } = blueprint as { ownership?: Json };
  if (path !== undefined && world.removed.get(resource.identifier)?.has(path)) {
    const relation = objectAt(blueprint, 'relations')[path];
    const title = isObject(relation) ? toText(relation['title']) : '';
    const isCustom = title !== '' && title.toLowerCase() !== 'teams';
    return [
      change(3, formatPointer(['relations', path]), relation, null, `The values move to the team of each entity.`),
      change(3, '/teamInheritance', inheritance, null),
      change(3, '/ownership', ownership, { type: 'Direct', ...(isCustom ? { title } : {}) }),
    ];
  }
  if (path !== undefined) {
    const followed = implied ? withoutRemovedEnd(path, resource.identifier, world) : path;
    return [
      change(2, '/teamInheritance', inheritance, null),
      change(
        followed === path ? 2 : 'implied',
        '/ownership',
        ownership,
        { type: 'Inherited', path: followed },
        followed === path ? undefined : `The last relation of "${path}" goes; what it leads from owns directly.`,
      ),
    ];
  }
  if (isObject(ownership)) return [];
  if ((entitiesWithTeam ?? 0) > 0) {
    const count = entitiesWithTeam === 1 ? '1 entity carries' : `${entitiesWithTeam} entities carry`;
    return [change(1, '/ownership', ownership, { type: 'Direct' }, `${count} a team.`)];
  }
  const isInherited = implied && world.inheritanceTargets.has(resource.identifier);
  if (!isInherited) return [];
  return [
    change('implied', '/ownership', ownership, { type: 'Direct' }, 'Other blueprints inherit their teams from it.'),
  ];
}

/** Shortens an inherited path by its last step if that is a relation removed elsewhere. */
function withoutRemovedEnd(path: string, blueprint: string, world: ReferenceContext): string {
  const hops = path.split('.');
  return gone(hops, blueprint, world) === hops.length - 1 && hops.length > 1 ? hops.slice(0, -1).join('.') : path;
}

/** Rewrites mirrors and path filters over a removed relation to `$team`. */
function planPaths(resource: Resource, blueprint: JsonObject, world: ReferenceContext): AutomaticChange[] {
  const changes: AutomaticChange[] = [];
  const follow = (
    pointer: string,
    hops: readonly Json[],
    start: string,
    put: (hops: Json[]) => Json,
    before: Json,
  ): void => {
    const at = gone(hops, start, world);
    if (at === undefined) return;
    const after = put(hops.map((hop, index) => (index === at ? '$team' : hop)));
    changes.push({
      rule: 'implied',
      resource,
      pointer,
      before,
      after,
      note: `The relation "${String(hops[at])}" goes.`,
    });
  };
  for (const [key, mirror] of Object.entries(objectAt(blueprint, 'mirrorProperties'))) {
    const path = isObject(mirror) ? toText(mirror['path']) : '';
    const pointer = formatPointer(['mirrorProperties', key, 'path']);
    follow(pointer, path.split('.'), resource.identifier, (hops) => hops.join('.'), path);
  }
  for (const [key, aggregation] of Object.entries(objectAt(blueprint, 'aggregationProperties'))) {
    for (const [index, filter] of listAt(aggregation, 'pathFilter').entries()) {
      const hops = listAt(filter, 'path');
      const start = (isObject(filter) ? toText(filter['fromBlueprint']) : '') || resource.identifier;
      const pointer = formatPointer(['aggregationProperties', key, 'pathFilter', index, 'path']);
      follow(pointer, hops, start, (followed) => followed, hops);
    }
  }
  return changes;
}
