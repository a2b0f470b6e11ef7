import type { JqValue } from '@portolan/jq';
import { ownValue } from '../../platform/collections.ts';
import type { Reader } from '../../platform/db/database.ts';
import { findTeamsByKey } from '../accounts/index.ts';
import { blueprintProperties, blueprintRelations, type StoredBlueprint } from '../blueprints/index.ts';
import type { StoredEntity } from '../entity-rows/index.ts';
import type { CalculationNode, DerivedNode, InvalidNode } from './derived-node.ts';
import type { DueNode } from './due-node.ts';
import type { LockedEntities } from './locked-entities.ts';
import type { ReadingContext } from './read-inputs.store.ts';
import type { ComputedChange } from './read-path-values.ts';

/** Longest time for calculations of one transaction, which others wait behind; the job does the rest. */
const timeMaxMs = 100;

/** Computes what depends on the entity alone: calculations, and nodes that are always null. */
export async function calculate(
  reader: Reader,
  context: ReadingContext,
  blueprint: StoredBlueprint,
  taken: readonly DueNode[],
  held: LockedEntities,
  postpone: (node: DerivedNode, keys: readonly number[]) => void,
): Promise<ComputedChange[]> {
  const changes: ComputedChange[] = [];
  for (const { node, keys } of taken) if (node.kind === 'void') changes.push(...setVoid(node, keys, held));
  const calculations = taken.filter(
    (each): each is DueNode & { node: CalculationNode } => each.node.kind === 'calculation',
  );
  if (calculations.length === 0) return changes;
  const entities = held.some(new Set(calculations.flatMap(({ keys }) => [...keys])));
  const namesOf = await teamNamer(reader, context, calculations, entities);
  const inputs = new Map(entities.map((entity) => [entity.key, calculationInput(blueprint, entity, namesOf(entity))]));
  const startedAt = performance.now();
  let done = 0;
  for (const { node, keys } of calculations) {
    const late: number[] = [];
    for (const { key } of held.some(keys)) {
      done += 1;
      if (done > 1 && performance.now() - startedAt > timeMaxMs) {
        late.push(key);
        continue;
      }
      const value = node.calculation.evaluate(inputs.get(key) as JqValue, node.type, context.now);
      if (held.set(key, node.key, value)) changes.push({ name: node.key, key });
    }
    if (late.length > 0) postpone(node, late);
  }
  return changes;
}

function setVoid(
  { key: name, isOwnTeams }: InvalidNode,
  keys: Iterable<number>,
  held: LockedEntities,
): ComputedChange[] {
  return held.some(keys).flatMap(({ key, teamRefs, ownTeamRefs }) => {
    const value = name === '$team' ? (isOwnTeams ? ownTeamRefs : []) : null;
    return held.set(key, name, value) ? [{ name, key, ...(name === '$team' ? { teamsBefore: teamRefs } : {}) }] : [];
  });
}

type TeamNameReader = (entity: StoredEntity) => string[];

/** Names of entities' teams, looked up only if a calculation may read them. */
export async function teamNamer(
  reader: Reader,
  { orgId, teamForm }: ReadingContext,
  calculations: readonly { readonly node: CalculationNode }[],
  entities: readonly StoredEntity[],
): Promise<TeamNameReader> {
  const isRead = calculations.some(
    ({ node: { calculation } }) => calculation.reads === 'all' || calculation.reads.has('$team'),
  );
  if (!isRead) return () => [];
  const references = [...new Set(entities.flatMap(({ teamRefs }) => teamRefs))];
  const teams = new Map((await findTeamsByKey(reader, orgId, references)).map((team) => [team.key, team[teamForm]]));
  return ({ teamRefs }) =>
    teamRefs.flatMap((reference) => (reference.startsWith('?') ? reference.slice(1) : (teams.get(reference) ?? [])));
}

/**
 * The input of a calculation (catalog semantics §1.6): the entity as it is answered, with mirrors and aggregations,
 * without calculations.
 */
export function calculationInput(blueprint: StoredBlueprint, entity: StoredEntity, team: readonly string[]): JqValue {
  const { mirrorProperties = {}, aggregationProperties = {} } = blueprint.definition;
  const properties: Record<string, unknown> = {};
  for (const key of Object.keys(blueprintProperties(blueprint)))
    properties[key] = ownValue(entity.properties, key) ?? null;
  for (const key of [...Object.keys(mirrorProperties), ...Object.keys(aggregationProperties)]) {
    properties[key] = ownValue(entity.derived, key) ?? null;
  }
  const relations: Record<string, unknown> = {};
  for (const [key, { many }] of Object.entries(blueprintRelations(blueprint))) {
    relations[key] = ownValue(entity.relations, key) ?? (many ? [] : null);
  }
  return {
    identifier: entity.identifier,
    title: entity.title,
    icon: entity.icon,
    blueprint: blueprint.identifier,
    team,
    properties: properties as JqValue,
    relations: relations as JqValue,
    createdAt: entity.createdAt.toISOString(),
    createdBy: entity.createdBy,
    updatedAt: entity.updatedAt.toISOString(),
    updatedBy: entity.updatedBy,
  };
}
