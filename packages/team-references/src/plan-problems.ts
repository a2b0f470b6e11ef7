import type { OrganizationDocuments, Resource } from './documents.ts';
import type { PlanProblem, TeamAssignment } from './plan.ts';
import { inheritancePath, type ReferenceContext, toText } from './reference-context.ts';
import { teamIdentifierStem } from './team-identifier.ts';

/** Teams that cannot be distinguished, and identifiers that the platform reserves. */
export function checkTeams(documents: OrganizationDocuments, teams: readonly TeamAssignment[]): PlanProblem[] {
  const problems: PlanProblem[] = [];
  const byTitle = groupBy(teams, ({ title }) => title);
  for (const [title, same] of byTitle) {
    if (same.length < 2 || documents.model === 'blueprints') continue;
    problems.push({
      severity: 'blocker',
      code: 'DUPLICATE_TEAM_TITLE',
      message: `${same.length} teams are called "${title}". Rename all but one, or merge them.`,
    });
  }
  for (const [identifier, same] of groupBy(teams, (team) => team.identifier)) {
    if (same.length < 2) continue;
    problems.push({
      severity: 'blocker',
      code: 'IDENTIFIER_TAKEN',
      message: `"${identifier}" is chosen for ${same.map(({ title }) => `"${title}"`).join(' and ')}. Choose another one.`,
    });
  }
  for (const { title, identifier } of documents.model === 'blueprints' ? [] : teams) {
    const other = teams.find((each) => each.title === identifier && each.identifier !== identifier);
    if (!other) continue;
    problems.push({
      severity: 'blocker',
      code: 'TITLE_IS_IDENTIFIER',
      message: `"${identifier}" is the title of a team and the identifier of "${title}": whoever goes on to write the title would name the wrong one. Give one of them another title or identifier.`,
    });
  }
  for (const { title, identifier, source } of teams) {
    if (source !== 'derived' || identifier === teamIdentifierStem(title)) continue;
    problems.push({
      severity: 'warning',
      code: 'SIMILAR_TEAM_TITLES',
      message: `"${title}" gets the identifier ${identifier}, because another team has, or is called, ${teamIdentifierStem(title)}.`,
    });
  }
  for (const { blueprint } of documents.model === 'legacy' ? documents.blueprints : []) {
    const identifier = toText(blueprint['identifier']);
    if (identifier !== '_user' && identifier !== '_team') continue;
    problems.push({
      severity: 'blocker',
      code: 'RESERVED_BLUEPRINT',
      message: `A blueprint of your own is called ${identifier}. Rename it: the migration makes one of that name.`,
    });
  }
  return problems;
}

/** Inheritance paths that are broken, circular, or end at a blueprint without owners. */
export function checkInheritance(documents: OrganizationDocuments, world: ReferenceContext): PlanProblem[] {
  const problems: PlanProblem[] = [];
  const paths = new Map<string, string>();
  for (const { blueprint } of documents.blueprints) {
    const path = inheritancePath(blueprint);
    if (path !== undefined) paths.set(toText(blueprint['identifier']), path);
  }
  for (const { blueprint } of documents.blueprints) {
    const identifier = toText(blueprint['identifier']);
    const path = paths.get(identifier);
    if (path === undefined || documents.model === 'blueprints') continue;
    const resource: Resource = { kind: 'blueprint', identifier, title: toText(blueprint['title']) || identifier };
    const warn = (code: PlanProblem['code'], message: string, severity: PlanProblem['severity'] = 'warning'): void =>
      void problems.push({ severity, code, message, resource, pointer: '/teamInheritance/path' });
    if (world.removed.get(identifier)?.has(path)) {
      const relation = world.blueprints.get(identifier)?.relations.get(path);
      if (relation !== undefined && !relation.many)
        warn('RELATION_CONSTRAINT_LOST', `"${path}" led to one team; $team is always a list.`);
      continue;
    }
    const { end, hasMany } = followPath(path, identifier, world);
    if (end === undefined)
      warn('BROKEN_INHERITANCE_PATH', `"${path}" leads nowhere, so that nobody owns its entities.`);
    else if (isCycle(identifier, paths, world))
      warn('INHERITANCE_CYCLE', `"${path}" leads back to where it begins. Change it first.`, 'blocker');
    else if (paths.has(end) && world.removed.get(end)?.has(paths.get(end)!) !== true)
      warn('INHERITANCE_TARGET_NOT_DIRECT', `"${path}" ends at "${end}", which inherits itself.`);
    if (hasMany) warn('MANY_IN_INHERITANCE_PATH', `"${path}" passes a relation to many; the teams of all are joined.`);
  }
  return problems;
}

function followPath(
  path: string,
  start: string,
  world: ReferenceContext,
): { end: string | undefined; hasMany: boolean } {
  let end: string | undefined = start;
  let hasMany = false;
  for (const hop of path.split('.')) {
    if (hop === '$team') continue;
    const relation: { target: string; many: boolean } | undefined =
      end === undefined ? undefined : world.blueprints.get(end)?.relations.get(hop);
    end = relation?.target;
    hasMany ||= relation?.many === true;
  }
  return { end: end !== undefined && (world.blueprints.has(end) || end === '_team') ? end : undefined, hasMany };
}

function isCycle(start: string, paths: ReadonlyMap<string, string>, world: ReferenceContext): boolean {
  const visited = new Set<string>();
  let at: string | undefined = start;
  while (at !== undefined) {
    if (visited.has(at)) return true;
    visited.add(at);
    const path = paths.get(at);
    at = path === undefined ? undefined : followPath(path, at, world).end;
  }
  return false;
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
