import type { BlueprintBody } from '@portolan/contract/blueprints';
import type { RelationValue } from '@portolan/contract/entities';
import { type EntityRecord, entityKey } from '@portolan/contract/transfer-file';

/** Relations and their targets by blueprint. */
export type Relations = ReadonlyMap<string, NonNullable<BlueprintBody['relations']>>;

/** An order for writing entities. */
export interface EntityOrder {
  /** Entities of a wave only refer to earlier waves, or to entities outside the file. */
  readonly waves: readonly (readonly EntityRecord[])[];
  /** Entities in a circle of relations, and those that refer to them. */
  readonly knot: readonly EntityRecord[];
}

/**
 * Orders entities after the targets of their relations, or only of their required ones. Teams come before what they
 * own, because a name that is not a team yet grants nothing later.
 */
export function orderEntities(
  entities: readonly EntityRecord[],
  relations: Relations,
  by: 'all relations' | 'required relations' = 'all relations',
): EntityOrder {
  const keys = new Set(entities.map(entityKey));
  const teams = teamKeys(entities);
  const pointers = new Map<string, EntityRecord[]>();
  const open = new Map<EntityRecord, number>();
  for (const entity of entities) {
    const own = entityKey(entity);
    const pointedAt = listTargets(entity, relations)
      .filter(({ isRequired }) => isRequired || by === 'all relations')
      .map(({ key }) => key);
    const targets = new Set([...pointedAt, ...owners(entity, teams)].filter((key) => key !== own && keys.has(key)));
    open.set(entity, targets.size);
    for (const key of targets) {
      const known = pointers.get(key);
      if (known) known.push(entity);
      else pointers.set(key, [entity]);
    }
  }
  const waves: EntityRecord[][] = [];
  let wave = entities.filter((entity) => open.get(entity) === 0);
  while (wave.length > 0) {
    waves.push(wave);
    const next: EntityRecord[] = [];
    for (const entity of wave) {
      open.delete(entity);
      for (const pointer of pointers.get(entityKey(entity)) ?? []) {
        const left = (open.get(pointer) ?? 0) - 1;
        open.set(pointer, left);
        if (left === 0) next.push(pointer);
      }
    }
    wave = next;
  }
  return { waves, knot: [...open.keys()] };
}

/** The targets of an entity, each with its relation. */
export function listTargets(
  { blueprint, body }: EntityRecord,
  relations: Relations,
): { relation: string; key: string; isRequired: boolean }[] {
  const definitions = relations.get(blueprint) ?? {};
  return Object.entries(body.relations ?? {}).flatMap(([relation, value]) => {
    const definition = Object.hasOwn(definitions, relation) ? definitions[relation] : undefined;
    if (!definition) return [];
    const { target, required: isRequired = false } = definition;
    return toIdentifiers(value).map((identifier) => ({
      relation,
      key: entityKey({ blueprint: target, identifier }),
      isRequired,
    }));
  });
}

function toIdentifiers(value: RelationValue): readonly string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value : [];
}

/** Teams are referenced by identifier or title, depending on the organization. */
function teamKeys(entities: readonly EntityRecord[]): ReadonlyMap<string, string> {
  const teams = entities.filter(({ blueprint }) => blueprint === '_team');
  return new Map([
    ...teams.map((team): [string, string] => [team.body.title ?? '', entityKey(team)]),
    ...teams.map((team): [string, string] => [team.identifier, entityKey(team)]),
  ]);
}

function owners({ body }: EntityRecord, teams: ReadonlyMap<string, string>): string[] {
  return toIdentifiers(body.team ?? null).flatMap((name) => teams.get(name) ?? []);
}
