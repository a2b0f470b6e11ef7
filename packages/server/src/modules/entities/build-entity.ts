import type { EntityBody, RelationValue } from '@portolan/contract/entities';
import type { Issue } from '@portolan/contract/errors';
import { isSameJson } from '../../platform/same-json.ts';
import type { Draft, WriteMode } from '../access/index.ts';
import { blueprintProperties, blueprintRelations, listDerivedKeys, type StoredBlueprint } from '../blueprints/index.ts';
import type { Properties, Relations, StoredEntity } from '../entity-rows/index.ts';

/**
 * Builds the resulting entity of a write, with every issue. Pure: defaults fill keys missing from a new entity, and
 * *required* keys missing from a replacement; null clears.
 */
export function buildEntity(
  blueprint: StoredBlueprint,
  findIssues: (properties: Properties) => Issue[],
  body: EntityBody & { readonly identifier: string },
  existing: StoredEntity | undefined,
  mode: WriteMode,
): { readonly draft: Draft; readonly issues: Issue[] } {
  const base = mode === 'merge' ? existing : undefined;
  const written = body.properties ?? {};
  const properties = buildProperties(blueprint, written, base, existing === undefined);
  const { relations, issues: relationIssues } = buildRelations(blueprint, body.relations ?? {}, base);
  const draft: Draft = {
    identifier: body.identifier,
    title: body.title === undefined ? (base?.title ?? null) : body.title,
    icon: body.icon === undefined ? (base?.icon ?? null) : body.icon,
    properties,
    relations,
    team: buildTeam(body.team, mode, existing),
  };
  const derived = listDerivedKeys(blueprint).filter((key) => Object.hasOwn(properties, key));
  const checked = derived.length > 0 ? without(properties, derived) : properties;
  const found = findIssues(checked);
  const unknown = unknownNulls(blueprint, written);
  // Fast path: most writes have no issues.
  if (unknown.length + derived.length + found.length + relationIssues.length === 0) return { draft, issues: none };
  const derivedIssues = derived.map((key) => ({
    path: `/properties/${key}`,
    message: 'is computed by the platform and cannot be written',
  }));
  const issues = found.filter((issue) => !isUntouchedByMerge(issue, written, base));
  return { draft, issues: [...unknown, ...derivedIssues, ...issues, ...relationIssues] };
}

const none: Issue[] = [];

/** Null clears a known property; for an unknown key it is an issue like any value. */
function unknownNulls(blueprint: StoredBlueprint, written: Properties): Issue[] {
  const issues: Issue[] = [];
  for (const key of Object.keys(written)) {
    if (written[key] !== null) continue;
    if (Object.hasOwn(blueprintProperties(blueprint), key) || listDerivedKeys(blueprint).includes(key)) continue;
    issues.push({ path: `/properties/${key}`, message: 'is not a property of the blueprint' });
  }
  return issues;
}

/**
 * Values a merge does not touch are not checked again: a stricter blueprint keeps them until their key is written
 * (catalog semantics §2.5). A missing required value must come with the next write.
 */
function isUntouchedByMerge({ path }: Issue, written: Properties, base: StoredEntity | undefined): boolean {
  const key = path.split('/')[2] ?? '';
  return base !== undefined && Object.hasOwn(base.properties, key) && !Object.hasOwn(written, key);
}

function buildProperties(
  blueprint: StoredBlueprint,
  written: Properties,
  base: StoredEntity | undefined,
  isNew: boolean,
): Properties {
  const definitions = blueprintProperties(blueprint);
  const values: Record<string, unknown> = {};
  if (base) {
    for (const key of Object.keys(base.properties)) {
      // values of removed properties are dropped, or they would fail a later write
      if (Object.hasOwn(definitions, key)) values[key] = base.properties[key];
    }
  }
  for (const key of Object.keys(written)) {
    const value = written[key];
    if (value === null || value === undefined) delete values[key];
    // the database stores minus zero as zero
    else values[key] = value === 0 ? 0 : value;
  }
  if (base) return values;
  for (const [key, value] of listDefaults(blueprint)) {
    if (Object.hasOwn(written, key)) continue;
    if (isNew || blueprint.definition.schema.required?.includes(key)) values[key] = value;
  }
  return values;
}

const defaults = new WeakMap<StoredBlueprint['definition'], readonly (readonly [string, unknown])[]>();

/** Properties with defaults; computed once per blueprint. */
function listDefaults({ definition }: StoredBlueprint): readonly (readonly [string, unknown])[] {
  const known = defaults.get(definition);
  if (known) return known;
  const found = Object.entries(definition.schema.properties).flatMap(([key, property]) =>
    property.default === undefined || property.default === null ? [] : [[key, property.default] as const],
  );
  defaults.set(definition, found);
  return found;
}

function buildRelations(
  blueprint: StoredBlueprint,
  written: Readonly<Record<string, RelationValue>>,
  base: StoredEntity | undefined,
): { relations: Relations; issues: Issue[] } {
  const definitions = blueprintRelations(blueprint);
  const issues: Issue[] = [];
  const values: Record<string, RelationValue> = {};
  for (const key of Object.keys(base?.relations ?? {})) {
    if (Object.hasOwn(definitions, key)) values[key] = base?.relations[key] as RelationValue;
  }
  for (const key of Object.keys(written)) {
    const value = written[key] as RelationValue;
    const definition = Object.hasOwn(definitions, key) ? definitions[key] : undefined;
    const refuse = (message: string) => issues.push({ path: `/relations/${key}`, message });
    if (!definition) refuse('is not a relation of the blueprint');
    else if (value === null) delete values[key];
    else if (typeof value === 'string') values[key] = definition.many ? [value] : value;
    else if (!definition.many) refuse('takes one identifier, not a list');
    else if (value.length === 0) delete values[key];
    else values[key] = [...new Set(value)];
  }
  for (const key of Object.keys(definitions)) {
    if (!definitions[key]?.required || Object.hasOwn(values, key)) continue;
    issues.push({ path: `/relations/${key}`, message: 'is required' });
  }
  return { relations: values, issues };
}

function buildTeam(
  team: EntityBody['team'],
  mode: WriteMode,
  existing: StoredEntity | undefined,
): readonly string[] | undefined {
  if (team === undefined) return mode === 'merge' && existing ? undefined : [];
  if (team === null) return [];
  return typeof team === 'string' ? [team] : team;
}

function without(properties: Properties, keys: readonly string[]): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([key]) => !keys.includes(key)));
}

/** Whether a write changes nothing that people can see. */
export function isUnchanged(
  existing: StoredEntity,
  next: Pick<StoredEntity, 'identifier' | 'title' | 'icon' | 'properties' | 'relations' | 'ownTeamRefs'>,
): boolean {
  return (
    existing.identifier === next.identifier &&
    existing.title === next.title &&
    existing.icon === next.icon &&
    isSameJson(existing.ownTeamRefs, next.ownTeamRefs) &&
    isSameJson(existing.properties, next.properties) &&
    isSameJson(existing.relations, next.relations)
  );
}
