import { isSameJson } from '../../platform/same-json.ts';
import { blueprintProperties, type StoredBlueprint } from '../blueprints/index.ts';
import type { EntityRow, StoredEntity } from '../entity-rows/index.ts';

/**
 * Whether a write changes a text. Closed values (numbers, booleans, dates and values of a list) are none, because they
 * cannot hold an instruction; relations are none, because identifiers have the authors of what they name.
 */
export function changesText(
  blueprint: StoredBlueprint,
  before: StoredEntity,
  { identifier, title, properties }: EntityRow,
): boolean {
  if (before.identifier !== identifier || before.title !== title) return true;
  const declared = blueprintProperties(blueprint);
  return Object.entries(properties).some(
    ([key, value]) => !isClosed(declared[key]) && !isSameJson(before.properties[key], value),
  );
}

type Declared = ReturnType<typeof blueprintProperties>[string];

const dates = new Set(['date-time', 'timer']);

/** Whether no value of a property can be a text that somebody made up. */
export function isClosed(property: Declared | undefined): boolean {
  if (!property) return false;
  if (property.type === 'array') return isClosed(property.items as Declared | undefined);
  const { type, format } = property;
  return type === 'number' || type === 'boolean' || Array.isArray(property.enum) || dates.has(String(format));
}
