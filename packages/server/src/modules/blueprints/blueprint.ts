import type { BlueprintBody } from '@portolan/contract/blueprints';
import type { EntityRights } from '../rights/index.ts';

/** The blueprint as written, without its identifier. */
export type BlueprintDefinition = Omit<BlueprintBody, 'identifier'>;

export interface StoredBlueprint {
  readonly orgId: string;
  readonly key: number;
  readonly identifier: string;
  readonly definition: BlueprintDefinition;
  readonly rights: EntityRights | null;
  readonly isSystem: boolean;
  /** The data migration that deletes it with its entities; usually null. */
  readonly deletionId: string | null;
  /** Increases with every change; caches of derived things (validators) use it as key. */
  readonly version: number;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly updatedAt: Date;
  readonly updatedBy: string;
}

export type RelationMap = NonNullable<BlueprintDefinition['relations']>;
export type PropertyMap = BlueprintDefinition['schema']['properties'];

export function blueprintRelations(blueprint: StoredBlueprint): RelationMap {
  return blueprint.definition.relations ?? {};
}

export function blueprintProperties(blueprint: StoredBlueprint): PropertyMap {
  return blueprint.definition.schema.properties;
}

/** The path of inherited ownership; undefined without inheritance. */
export function ownershipPath({ ownership, teamInheritance }: BlueprintDefinition): string | undefined {
  if (ownership) return ownership.type === 'Inherited' ? ownership.path : undefined;
  return teamInheritance?.path;
}

/** Keys of computed values, which people may read and never write. */
export function listDerivedKeys({ definition }: StoredBlueprint): readonly string[] {
  const known = derivedKeys.get(definition);
  if (known) return known;
  const { mirrorProperties = {}, calculationProperties = {}, aggregationProperties = {} } = definition;
  const keys = [mirrorProperties, calculationProperties, aggregationProperties].flatMap((map) => Object.keys(map));
  derivedKeys.set(definition, keys);
  return keys;
}

/** Cached, because every read and write of an entity needs them. */
const derivedKeys = new WeakMap<BlueprintDefinition, readonly string[]>();

/** As written, with all four maps and the meta fields. */
export function presentBlueprint(blueprint: StoredBlueprint) {
  const {
    calculationProperties = {},
    mirrorProperties = {},
    aggregationProperties = {},
    relations = {},
    ...definition
  } = blueprint.definition;
  return {
    identifier: blueprint.identifier,
    ...definition,
    // in a fixed order, because exports are compared line by line
    calculationProperties,
    mirrorProperties,
    aggregationProperties,
    relations,
    createdAt: blueprint.createdAt.toISOString(),
    createdBy: blueprint.createdBy,
    updatedAt: blueprint.updatedAt.toISOString(),
    updatedBy: blueprint.updatedBy,
  };
}
