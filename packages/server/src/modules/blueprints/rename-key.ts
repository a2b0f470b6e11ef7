import type { Actor } from '../../platform/actor.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { unchanged } from '../accounts/index.ts';
import type { EntityRights } from '../rights/index.ts';
import {
  listBlueprintRows,
  lockBlueprint,
  lockBlueprintsInOrder,
  setBlueprintRights,
  updateBlueprintRow,
} from './blueprint.store.ts';
import { blueprintProperties, blueprintRelations, listDerivedKeys, type StoredBlueprint } from './blueprint.ts';
import { followKey, type KeyKind, type KeyRename, renameKey } from './follow-key.ts';
import { followKeyInPolicies } from './follow-policy.ts';
import { recordBlueprint } from './record-blueprint.ts';
import { resultTargets } from './scorecard-blueprints.ts';
import { agentSchemaIn, systemBlueprint } from './system-blueprints.ts';
import type { WriteBlueprintDeps } from './write-blueprint.ts';

const maps = {
  property: { resource: 'Property', has: blueprintProperties, part: 'updateProperties' },
  mirror: {
    resource: 'Mirror property',
    has: ({ definition }: StoredBlueprint) => definition.mirrorProperties ?? {},
    part: undefined,
  },
  relation: { resource: 'Relation', has: blueprintRelations, part: 'updateRelations' },
} as const;

/**
 * Renames a property, mirror or relation. References follow in every blueprint: values of entities, paths,
 * calculations, aggregations, ownership, rights and scorecards. Nothing is recomputed, because no value changes.
 * @throws AppError `not_found`, `identifier_taken`, `managed_field` for the base keys of system blueprints
 */
export function renameBlueprintKey(
  { unitOfWork, listener }: Pick<WriteBlueprintDeps, 'unitOfWork' | 'listener'>,
  actor: Actor,
  identifier: string,
  { kind, from, to }: Omit<KeyRename, 'blueprint'>,
): Promise<StoredBlueprint> {
  return unitOfWork(actor, async (work) => {
    const { tx } = work;
    const before = await lockBlueprint(tx, actor.orgId, identifier);
    if (!before) throw notFound('Blueprint', identifier);
    const { resource, has } = maps[kind];
    if (!Object.hasOwn(has(before), from)) throw notFound(resource, from);
    if (from === to) return before;
    assertRenamable(actor, before, kind, from);
    assertUnshared(before, kind, from);
    assertFree(before, to);
    const rename = { blueprint: identifier, kind, from, to };
    await followInRights(work, rename);
    const after = await followInDefinitions(work, before, rename);
    await listener.renameKey(work, after, rename);
    recordBlueprint(work, 'UPDATE', before, after, rename);
    return after;
  });
}

/** Renames the key in granular rights, and in policies of every blueprint. */
async function followInRights({ tx, actor }: Work, rename: KeyRename): Promise<void> {
  const { orgId } = actor;
  const { part } = maps[rename.kind];
  const followed = (all: readonly StoredBlueprint[]): Map<string, EntityRights> => {
    const blueprints = new Map(all.map((blueprint) => [blueprint.identifier, blueprint]));
    const changed = all.flatMap((blueprint): [string, EntityRights][] => {
      if (!blueprint.rights) return [];
      const grants = part && blueprint.identifier === rename.blueprint ? blueprint.rights[part] : undefined;
      const own =
        part && grants && Object.hasOwn(grants, rename.from)
          ? { ...blueprint.rights, [part]: renameKey(grants, rename.from, rename.to) }
          : blueprint.rights;
      const next = followKeyInPolicies(own, blueprint, rename, blueprints);
      return next === blueprint.rights ? [] : [[blueprint.identifier, next]];
    });
    return new Map(changed);
  };
  const touched = followed(await listBlueprintRows(tx, orgId));
  await lockBlueprintsInOrder(tx, orgId, [...touched.keys()]);
  // read again under the lock
  for (const [name, rights] of followed(await listBlueprintRows(tx, orgId))) {
    await setBlueprintRights(tx, orgId, name, unchanged(rights));
  }
}

/** Writers hold their blueprint, so the others are locked in the order of keys. */
async function followInDefinitions(work: Work, before: StoredBlueprint, rename: KeyRename): Promise<StoredBlueprint> {
  const { tx, actor, now } = work;
  const touched = followKey(await listBlueprintRows(tx, actor.orgId), rename);
  await lockBlueprintsInOrder(tx, actor.orgId, [...touched.keys()]);
  // read again under the lock
  const all = await listBlueprintRows(tx, actor.orgId);
  let after = before;
  for (const [name, definition] of followKey(all, rename)) {
    const current = all.find((blueprint) => blueprint.identifier === name) as StoredBlueprint;
    const written = await updateBlueprintRow(tx, unchanged({ ...current, definition }), actor, now);
    if (name === before.identifier) after = written;
  }
  return after;
}

function assertRenamable(actor: Actor, blueprint: StoredBlueprint, kind: KeyKind, key: string): void {
  const structure = blueprint.isSystem
    ? systemBlueprint(blueprint.identifier, actor.model, agentSchemaIn(blueprint))
    : undefined;
  if (!structure) return;
  const base = {
    property: structure.schema.properties,
    mirror: structure.mirrorProperties,
    relation: { ...structure.relations, ...resultTargets(blueprint) },
  }[kind];
  if (base && Object.hasOwn(base, key)) {
    throw new AppError('managed_field', `"${key}" belongs to the system blueprint and cannot be renamed`);
  }
}

/** If a property has the same key, conditions with the key mean the property and must not follow the relation. */
function assertUnshared(blueprint: StoredBlueprint, kind: KeyKind, key: string): void {
  if (kind !== 'relation') return;
  if (!Object.hasOwn(blueprintProperties(blueprint), key) && !listDerivedKeys(blueprint).includes(key)) return;
  const message = `"${key}" is the key of a property and of a relation; rename the property first`;
  throw new AppError('identifier_taken', message);
}

/** The new name must be unused among properties and relations. */
function assertFree(blueprint: StoredBlueprint, key: string): void {
  const keys = [
    ...Object.keys(blueprintProperties(blueprint)),
    ...Object.keys(blueprintRelations(blueprint)),
    ...listDerivedKeys(blueprint),
  ];
  if (keys.includes(key)) {
    const message = `The blueprint "${blueprint.identifier}" has a key "${key}"; the identifier is taken`;
    throw new AppError('identifier_taken', message);
  }
}
