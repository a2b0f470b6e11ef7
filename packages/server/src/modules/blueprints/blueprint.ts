import type { BlueprintBody } from '@portolan/contract';
import type { EntityRights } from '../identity/index.ts';

/** What people wrote of a blueprint, without its identifier. */
export type BlueprintDefinition = Omit<BlueprintBody, 'identifier'>;

/** A blueprint as the catalog works with it. */
export interface StoredBlueprint {
  readonly orgId: string;
  readonly key: number;
  readonly identifier: string;
  readonly definition: BlueprintDefinition;
  readonly rights: EntityRights | null;
  readonly isSystem: boolean;
  /** The data migration that deletes it with all its entities; null of every other. */
  readonly deletionId: string | null;
  /** Grows with every change; caches of derived things (validators) are keyed by it. */
  readonly version: number;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly updatedAt: Date;
  readonly updatedBy: string;
}

export type RelationMap = NonNullable<BlueprintDefinition['relations']>;
export type PropertyMap = BlueprintDefinition['schema']['properties'];

export function relationsOf(blueprint: StoredBlueprint): RelationMap {
  return blueprint.definition.relations ?? {};
}

export function propertiesOf(blueprint: StoredBlueprint): PropertyMap {
  return blueprint.definition.schema.properties;
}

/** The path along which ownership is inherited; undefined where it is not. */
export function ownershipPathOf({ ownership, teamInheritance }: BlueprintDefinition): string | undefined {
  if (ownership) return ownership.type === 'Inherited' ? ownership.path : undefined;
  return teamInheritance?.path;
}

/** Keys the platform computes: people may read them and never write them. */
export function derivedKeysOf({ definition }: StoredBlueprint): readonly string[] {
  const known = derivedKeys.get(definition);
  if (known) return known;
  const { mirrorProperties = {}, calculationProperties = {}, aggregationProperties = {} } = definition;
  const keys = [mirrorProperties, calculationProperties, aggregationProperties].flatMap((map) => Object.keys(map));
  derivedKeys.set(definition, keys);
  return keys;
}

/** Every entity that is read or written asks for them. */
const derivedKeys = new WeakMap<BlueprintDefinition, readonly string[]>();

/** The blueprint as it is answered: what people wrote, the four maps also where empty, and the four meta fields. */
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
    // in one order, whoever wrote them: exports are compared line by line
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
