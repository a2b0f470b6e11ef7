import type { Json, JsonObject, Resource } from './documents.ts';
import { formatPointer, isObject, type Path } from './json-pointer.ts';
import type { AutomaticChange, PlanProblem } from './plan.ts';
import { objectAt, type ReferenceContext } from './reference-context.ts';

/** An object with `teams` and one of these keys is a grant, whatever its own key. */
const grantKeys = ['roles', 'users', 'ownedByTeam', 'policy'];

/**
 * Rule 4: translates every explicit list of teams, at any depth, sorted and without duplicates. Policies are unchanged.
 */
export function planPermissions(
  resource: Resource,
  permissions: JsonObject,
  removed: ReadonlySet<string>,
  world: ReferenceContext,
  changes: AutomaticChange[],
  problems: PlanProblem[],
): void {
  const visit = (value: Json | undefined, path: Path): void => {
    if (!isObject(value)) return;
    const { teams } = value as { teams?: Json };
    const isGrant = Array.isArray(teams) && teams.every((each) => typeof each === 'string' || each === null);
    if (isGrant) translate(teams, [...path, 'teams']);
    for (const [key, inner] of Object.entries(value)) {
      if (isGrant && (key === 'policy' || key === 'teams')) continue;
      if (key === 'policy' && grantKeys.some((other) => other !== key && other in value)) continue;
      if (path.at(-1) === 'entities' && key === 'updateRelations' && removed.size > 0) dropBlocks(inner, path);
      // a dropped block is translated at its new place
      if (path.at(-1) === 'updateRelations' && removed.has(key)) continue;
      visit(inner, [...path, key]);
    }
  };
  const translate = (teams: readonly Json[], path: Path): void => {
    const unknown: string[] = [];
    const after: string[] = [];
    for (const name of teams) {
      if (typeof name !== 'string' || name === '') continue;
      const identifier = world.identifierOf.get(name);
      if (identifier !== undefined) after.push(identifier);
      else if (world.titles.has(name)) after.push(name);
      else unknown.push(name);
    }
    const sorted = [...new Set(after)].sort();
    const pointer = formatPointer(path);
    if (unknown.length > 0) {
      problems.push({
        severity: 'warning',
        code: 'UNKNOWN_TEAM',
        message: `No team is called ${unknown.map((name) => JSON.stringify(name)).join(', ')}: the entry grants nothing and is kept aside.`,
        resource,
        pointer,
      });
    }
    if (JSON.stringify(sorted) === JSON.stringify(teams)) return;
    const note = unknown.length > 0 ? { note: `Not translated: ${unknown.join(', ')}.` } : {};
    changes.push({ rule: 4, resource, pointer, before: teams as Json, after: sorted, ...note });
  };
  const dropBlocks = (relations: Json | undefined, path: Path): void => {
    if (!isObject(relations)) return;
    for (const relation of removed) {
      if (!Object.hasOwn(relations, relation)) continue;
      const pointer = formatPointer([...path, 'updateRelations', relation]);
      const before = relations[relation]!;
      changes.push({
        rule: 'implied',
        resource,
        pointer,
        before,
        after: null,
        note: `The relation "${relation}" goes.`,
      });
      const entities = objectAt(permissions, 'entities');
      if (Object.hasOwn(objectAt(entities, 'updateProperties'), '$team')) {
        problems.push({
          severity: 'warning',
          code: 'PERMISSION_BLOCK_DROPPED',
          message: `Who may change the relation "${relation}" is dropped: who may change $team is set already, and is kept.`,
          resource,
          pointer,
        });
      } else {
        const own = formatPointer([...path, 'updateProperties', '$team']);
        changes.push({ rule: 'implied', resource, pointer: own, before: null, after: translated(before, world) });
      }
    }
  };
  visit(permissions, []);
}

function translated(block: Json, world: ReferenceContext): Json {
  if (!isObject(block) || !Array.isArray(block['teams'])) return block;
  const known = block['teams'].flatMap((name) => {
    if (typeof name !== 'string' || !world.titles.has(name)) return [];
    return [world.identifierOf.get(name) ?? name];
  });
  return { ...block, teams: [...new Set(known)].sort() };
}
