import { isDeepStrictEqual } from 'node:util';
import type { StoredBlueprint } from '../../blueprints/index.ts';
import { systemBlueprint } from '../../blueprints/index.ts';
import type { EntityRights } from '../../rights/index.ts';

type Definition = StoredBlueprint['definition'];
type Rule = 1 | 2 | 3 | 'implied';

/** A relation to `_team` that is removed because its blueprint inherited its teams along it. */
export interface RemovedRelation {
  readonly blueprint: string;
  readonly blueprintKey: number;
  readonly relation: string;
  readonly isMany: boolean;
}

/** One change of a document at a JSON pointer; undefined means absent. */
export interface DocumentChange {
  readonly rule: Rule;
  readonly part: 'blueprint' | 'permissions';
  readonly pointer: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly note?: string;
}

export interface PlannedBlueprint {
  readonly before: StoredBlueprint;
  readonly definition: Definition;
  readonly rights: EntityRights | null;
  readonly changes: readonly DocumentChange[];
}

export interface BlueprintPlan {
  /** Changed blueprints only, by key. */
  readonly blueprints: readonly PlannedBlueprint[];
  readonly going: readonly RemovedRelation[];
}

export interface PlanInput {
  readonly model: 'legacy' | 'beta';
  readonly blueprints: readonly StoredBlueprint[];
  /** Keys of blueprints with at least one entity that names a team. */
  readonly withTeams: ReadonlySet<number>;
}

/**
 * Applies the specification's migration rules to blueprints, per blueprint rule 3 before 2 before 1, and the changes
 * they imply. Pure: plan, rehearsal and run share it, so they cannot differ.
 */
export function planBlueprints({ model, blueprints, withTeams }: PlanInput): BlueprintPlan {
  const going = model === 'beta' ? blueprints.flatMap(findRemovedRelations) : [];
  const plan = blueprints.map((blueprint) => ruled(blueprint, going, withTeams, blueprints, model));
  const owned = withTargets(plan);
  const whole = owned.map((planned) => implied(planned, going, blueprints));
  return { blueprints: whole.filter(({ changes }) => changes.length > 0), going };
}

function pathSegments(path: string): string[] {
  return path.split('.').filter((segment) => segment !== '$team');
}

function findRelation({ relations }: Definition, key: string) {
  return relations && Object.hasOwn(relations, key) ? relations[key] : undefined;
}

/** The relation that defines ownership, if the path consists of it alone; a longer path is inheritance. */
function findRemovedRelations({ identifier, key: blueprintKey, definition }: StoredBlueprint): RemovedRelation[] {
  if (definition.ownership || !definition.teamInheritance) return [];
  const [relation, ...more] = pathSegments(definition.teamInheritance.path);
  if (relation === undefined || more.length > 0) return [];
  const found = findRelation(definition, relation);
  return found?.target === '_team'
    ? [{ blueprint: identifier, blueprintKey, relation, isMany: found.many === true }]
    : [];
}

function ruled(
  before: StoredBlueprint,
  going: readonly RemovedRelation[],
  withTeams: ReadonlySet<number>,
  all: readonly StoredBlueprint[],
  model: PlanInput['model'],
): PlannedBlueprint {
  const own = going.find(({ blueprintKey }) => blueprintKey === before.key);
  if (own) return removed(before, own);
  const { teamInheritance, ...rest } = before.definition;
  const changes: DocumentChange[] = [];
  let definition: Definition = before.definition;
  if (teamInheritance) {
    const pointer = '/teamInheritance';
    const path = shortened(before.identifier, teamInheritance.path, going, all);
    const ownership = rest.ownership ?? { type: 'Inherited' as const, path };
    definition = { ...rest, ownership };
    changes.push(
      { rule: 2, part: 'blueprint', pointer, before: teamInheritance, after: undefined },
      { rule: 2, part: 'blueprint', pointer: '/ownership', before: rest.ownership, after: ownership },
    );
    if (path !== teamInheritance.path && !rest.ownership) {
      const note = 'the last relation of the path goes, and the blueprint it is on names its teams itself';
      const at = '/ownership/path';
      changes.push({
        rule: 'implied',
        part: 'blueprint',
        pointer: at,
        before: teamInheritance.path,
        after: path,
        note,
      });
    }
  } else if (!rest.ownership && withTeams.has(before.key)) {
    const ownership = { type: 'Direct' as const };
    definition = { ...rest, ownership };
    changes.push({ rule: 1, part: 'blueprint', pointer: '/ownership', before: undefined, after: ownership });
  }
  return { before, definition: withAsker(before, definition, model, changes), rights: before.rights, changes };
}

/** Rule 3: removes the relation; its teams become the entity's own. */
function removed(before: StoredBlueprint, { relation }: RemovedRelation): PlannedBlueprint {
  const { teamInheritance, relations = {}, ...rest } = before.definition;
  const { [relation]: gone, ...others } = relations;
  // a system blueprint defines its own ownership, including its title
  const ownership =
    (before.isSystem ? systemBlueprint(before.identifier)?.ownership : undefined) ?? ({ type: 'Direct' } as const);
  const definition: Definition = {
    ...rest,
    ...(Object.keys(others).length > 0 ? { relations: others } : {}),
    ownership,
  };
  const part = 'blueprint' as const;
  const changes: DocumentChange[] = [
    { rule: 3, part, pointer: `/relations/${relation}`, before: gone, after: undefined },
    { rule: 3, part, pointer: '/teamInheritance', before: teamInheritance, after: undefined },
    { rule: 3, part, pointer: '/ownership', before: undefined, after: ownership },
  ];
  return { before, definition, ...movedGrant(before, relation, changes) };
}

/**
 * The right to write the relation becomes the right to write teams. An existing right to write teams stays as it is,
 * since merging would widen it.
 */
function movedGrant(
  { rights }: StoredBlueprint,
  relation: string,
  changes: readonly DocumentChange[],
): Pick<PlannedBlueprint, 'rights' | 'changes'> {
  const grants = rights?.updateRelations;
  if (!rights || !grants || !Object.hasOwn(grants, relation)) return { rights, changes };
  const { [relation]: grant, ...others } = grants;
  const { updateRelations: _all, ...kept } = rights;
  const pointer = `/entities/updateRelations/${relation}`;
  const hasOwn = Object.hasOwn(rights.updateProperties ?? {}, '$team');
  const note = hasOwn ? 'dropped: there is a right to write the teams already' : 'becomes the right to write the teams';
  const part = 'permissions' as const;
  const next: EntityRights = {
    ...kept,
    ...(Object.keys(others).length > 0 ? { updateRelations: others } : {}),
    ...(hasOwn || !grant ? {} : { updateProperties: { ...rights.updateProperties, $team: grant } }),
  };
  return {
    rights: next,
    changes: [
      ...changes,
      { rule: 'implied', part, pointer, before: grant, after: undefined, note },
      ...(hasOwn
        ? []
        : [
            {
              rule: 'implied' as const,
              part,
              pointer: '/entities/updateProperties/$team',
              before: undefined,
              after: grant,
            },
          ]),
    ],
  };
}

/** Shortens a path by its last relation if that one is removed. */
function shortened(
  start: string,
  path: string,
  going: readonly RemovedRelation[],
  all: readonly StoredBlueprint[],
): string {
  const segments = pathSegments(path);
  const at = walked(start, segments.slice(0, -1), all);
  const last = segments.at(-1);
  const isGoing = going.some(({ blueprint, relation }) => blueprint === at && relation === last);
  return isGoing && segments.length > 1 ? segments.slice(0, -1).join('.') : path;
}

/** The blueprint at the end of a path; undefined if a relation is missing. */
function walked(start: string, segments: readonly string[], all: readonly StoredBlueprint[]): string | undefined {
  let at: string | undefined = start;
  for (const segment of segments) {
    const definition = all.find(({ identifier }) => identifier === at)?.definition;
    at = segment === '$team' ? '_team' : definition && findRelation(definition, segment)?.target;
  }
  return at;
}

/** Adds the relation from invocations to the asking user, which needs users as entities. */
function withAsker(
  { identifier, isSystem }: StoredBlueprint,
  definition: Definition,
  model: PlanInput['model'],
  changes: DocumentChange[],
): Definition {
  if (model !== 'legacy' || !isSystem || identifier !== '_ai_invocations') return definition;
  const asker = systemBlueprint(identifier)?.relations?.['asked_by'];
  if (!asker || findRelation(definition, 'asked_by')) return definition;
  const pointer = '/relations/asked_by';
  changes.push({ rule: 'implied', part: 'blueprint', pointer, before: undefined, after: asker });
  return { ...definition, relations: { ...definition.relations, asked_by: asker } };
}

/** Gives direct ownership to blueprints that others inherit from, even without any entity that names a team. */
function withTargets(plan: readonly PlannedBlueprint[]): PlannedBlueprint[] {
  const after = plan.map(({ before, definition }) => ({ ...before, definition }));
  const targets = new Set(
    plan.flatMap(({ before, changes }) => {
      const { ownership } = after.find(({ key }) => key === before.key)?.definition ?? {};
      const isNew = changes.some(({ rule }) => rule === 2);
      const end = isNew && ownership?.type === 'Inherited' ? pathSegments(ownership.path) : [];
      return end.length > 0 ? [walked(before.identifier, end, after)] : [];
    }),
  );
  return plan.map((planned) => {
    const { before, definition, changes } = planned;
    if (before.identifier === '_team' || !targets.has(before.identifier) || definition.ownership) return planned;
    const ownership = { type: 'Direct' as const };
    const note = 'others inherit their teams from here';
    const change = {
      rule: 'implied',
      part: 'blueprint',
      pointer: '/ownership',
      before: undefined,
      after: ownership,
      note,
    };
    return { ...planned, definition: { ...definition, ownership }, changes: [...changes, change as DocumentChange] };
  });
}

/** Replaces removed relations in the paths of mirrors and aggregations by `$team`. */
function implied(
  planned: PlannedBlueprint,
  going: readonly RemovedRelation[],
  all: readonly StoredBlueprint[],
): PlannedBlueprint {
  if (going.length === 0) return planned;
  const { before, definition } = planned;
  const changes: DocumentChange[] = [];
  const rewritten = (start: string, segments: readonly string[], isEndName: boolean): string[] =>
    segments.map((segment, index) => {
      if (isEndName && index === segments.length - 1) return segment;
      const at = walked(start, segments.slice(0, index), all);
      return going.some(({ blueprint, relation }) => blueprint === at && relation === segment) ? '$team' : segment;
    });
  const note = (pointer: string, old: unknown, next: unknown) => {
    if (!isDeepStrictEqual(old, next))
      changes.push({ rule: 'implied', part: 'blueprint', pointer, before: old, after: next });
  };
  const mirrors = mapValues(definition.mirrorProperties, (mirror, key) => {
    const path = rewritten(before.identifier, mirror.path.split('.'), true).join('.');
    note(`/mirrorProperties/${key}/path`, mirror.path, path);
    return path === mirror.path ? mirror : { ...mirror, path };
  });
  const aggregations = mapValues(definition.aggregationProperties, (aggregation, key) => {
    if (!aggregation.pathFilter) return aggregation;
    const pathFilter = aggregation.pathFilter.map((filter, index) => {
      const path = rewritten(filter.fromBlueprint ?? before.identifier, filter.path, false);
      note(`/aggregationProperties/${key}/pathFilter/${index}/path`, filter.path, path);
      return { ...filter, path };
    });
    return { ...aggregation, pathFilter };
  });
  if (changes.length === 0) return planned;
  return {
    ...planned,
    definition: {
      ...definition,
      ...(mirrors ? { mirrorProperties: mirrors } : {}),
      ...(aggregations ? { aggregationProperties: aggregations } : {}),
    },
    changes: [...planned.changes, ...changes],
  };
}

function mapValues<Value>(
  map: Readonly<Record<string, Value>> | undefined,
  change: (value: Value, key: string) => Value,
): Record<string, Value> | undefined {
  return map && Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value, key)]));
}
