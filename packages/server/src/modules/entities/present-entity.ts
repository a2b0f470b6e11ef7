import type { EntityReadQuery } from '@portolan/contract/entities';
import { isRecord } from '@portolan/contract/json-value';
import { ownValue } from '../../platform/collections.ts';
import {
  blueprintProperties,
  blueprintRelations,
  listDerivedKeys,
  ownershipPath,
  type StoredBlueprint,
} from '../blueprints/index.ts';
import type { ReadEntity } from '../entity-rows/index.ts';

export type ReadOptions = Partial<Omit<EntityReadQuery, 'attach_title_to_relation'>>;

/**
 * The entity in the answer (api contract §3.2): every property and relation of its blueprint, unset ones as null (many
 * relations as `[]`), computed ones among the properties. `include` and `exclude` take dotted names.
 */
export function presentEntity(entity: ReadEntity, blueprint: StoredBlueprint, options: ReadOptions = {}) {
  const withoutComputed = options.exclude_calculated_properties ?? false;
  const whole = {
    identifier: entity.identifier,
    title: entity.title,
    icon: entity.icon,
    blueprint: blueprint.identifier,
    // inherited teams are computed: a client that writes back what it read must not set them
    ...(withoutComputed && isInheriting(blueprint) ? {} : { team: [...entity.team] }),
    properties: presentProperties(entity, blueprint, withoutComputed),
    relations: presentRelations(entity, blueprint),
    // without results the key is absent, which clients that print answers expect
    ...(Object.keys(entity.scorecards).length > 0 ? { scorecards: entity.scorecards } : {}),
    createdAt: entity.createdAt.toISOString(),
    createdBy: entity.createdBy,
    updatedAt: entity.updatedAt.toISOString(),
    updatedBy: entity.updatedBy,
  };
  return options.include || options.exclude ? narrowed(whole, options) : whole;
}

function isInheriting(blueprint: StoredBlueprint): boolean {
  return ownershipPath(blueprint.definition) !== undefined;
}

function presentProperties(entity: ReadEntity, blueprint: StoredBlueprint, withoutDerived: boolean) {
  const properties: Record<string, unknown> = {};
  for (const key of Object.keys(blueprintProperties(blueprint)))
    properties[key] = ownValue(entity.properties, key) ?? null;
  if (withoutDerived) return properties;
  for (const key of listDerivedKeys(blueprint)) properties[key] = ownValue(entity.derived, key) ?? null;
  return properties;
}

function presentRelations(entity: ReadEntity, blueprint: StoredBlueprint) {
  const relations: Record<string, unknown> = {};
  for (const [key, { many }] of Object.entries(blueprintRelations(blueprint))) {
    relations[key] = ownValue(entity.relations, key) ?? (many ? [] : null);
  }
  return relations;
}

type PresentedEntity = Record<string, unknown>;

function narrowed(whole: PresentedEntity, { include, exclude }: ReadOptions): PresentedEntity {
  const kept = include ? pick(whole, include) : { ...whole };
  for (const name of exclude ?? []) {
    const [head = '', ...rest] = name.split('.');
    const inner = rest.join('.');
    if (inner === '') delete kept[head];
    else if (isRecord(kept[head])) {
      const { [inner]: _dropped, ...others } = kept[head];
      kept[head] = others;
    }
  }
  return kept;
}

function pick(whole: PresentedEntity, names: readonly string[]): PresentedEntity {
  const kept: PresentedEntity = {};
  for (const name of names) {
    const [head = '', ...rest] = name.split('.');
    const inner = rest.join('.');
    if (!Object.hasOwn(whole, head)) continue;
    if (inner === '') kept[head] = whole[head];
    else if (isRecord(whole[head]) && Object.hasOwn(whole[head], inner)) {
      kept[head] = { ...(isRecord(kept[head]) ? kept[head] : {}), [inner]: whole[head][inner] };
    }
  }
  return kept;
}
