import type { BlueprintBody, BlueprintPatch } from '@portolan/contract/blueprints';

const maps = ['relations', 'mirrorProperties', 'calculationProperties', 'aggregationProperties'] as const;
const nullable = [
  'description',
  'icon',
  'ownership',
  'teamInheritance',
  'changelogDestination',
  'includeInGlobalSearch',
  'unknownProperties',
] as const;

/**
 * Applies a PATCH (compatibility choices, Catalog): inside `schema.properties` and the four maps each key is replaced
 * or, with null, removed; every other top-level key replaces, and null unsets it.
 */
export function mergeBlueprint(current: BlueprintBody, patch: BlueprintPatch): BlueprintBody {
  const merged: Record<string, unknown> = { ...current };
  if (patch.identifier !== undefined) merged['identifier'] = patch.identifier;
  if (patch.title !== undefined) merged['title'] = patch.title;
  for (const key of nullable) {
    const value = patch[key];
    if (value === null) delete merged[key];
    else if (value !== undefined) merged[key] = value;
  }
  if (patch.schema) merged['schema'] = mergeSchema(current.schema, patch.schema);
  for (const key of maps) {
    const changes = patch[key];
    if (changes) merged[key] = mergeMap<unknown>(current[key] ?? {}, changes);
  }
  return merged as BlueprintBody;
}

function mergeSchema(current: BlueprintBody['schema'], patch: NonNullable<BlueprintPatch['schema']>) {
  const properties = mergeMap(current.properties, patch.properties ?? {});
  const required = (patch.required ?? current.required)?.filter(
    (key) => patch.required !== undefined || Object.hasOwn(properties, key),
  );
  return { properties, ...(required ? { required } : {}) };
}

function mergeMap<Value>(current: Record<string, Value>, changes: Record<string, Value | null>): Record<string, Value> {
  const merged = { ...current };
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) delete merged[key];
    else merged[key] = value;
  }
  return merged;
}
