import { isDeepStrictEqual } from 'node:util';
import type { EntityBody, Issue, RelationValue } from '@portolan/contract';
import {
  type CheckProperties,
  derivedKeysOf,
  propertiesOf,
  relationsOf,
  type StoredBlueprint,
} from '../blueprints/index.ts';
import type { Properties, Relations, StoredEntity } from './entity.ts';

/** How a write treats what it does not name (catalog semantics §2.2): `replace` clears it, `merge` keeps it. */
export type WriteMode = 'replace' | 'merge';

/** An entity as it will be, before its relations and teams are looked up. */
export interface Draft {
  readonly identifier: string;
  readonly title: string | null;
  readonly icon: string | null;
  readonly properties: Properties;
  readonly relations: Relations;
  /** Team names as written; undefined leaves the teams as they are. */
  readonly team: readonly string[] | undefined;
  /** References in place of the names, from callers that know them. */
  readonly teamRefs?: readonly string[];
}

/**
 * The resulting entity of a write, and everything wrong with it. Pure: defaults fill keys that a new entity leaves
 * out, and *required* keys that a replacement leaves out; null clears.
 */
export function buildEntity(
  blueprint: StoredBlueprint,
  checkProperties: CheckProperties,
  body: EntityBody & { readonly identifier: string },
  existing: StoredEntity | undefined,
  mode: WriteMode,
): { readonly draft: Draft; readonly issues: Issue[] } {
  const base = mode === 'merge' ? existing : undefined;
  const properties = buildProperties(blueprint, body.properties ?? {}, base, existing === undefined);
  const { relations, issues: relationIssues } = buildRelations(blueprint, body.relations ?? {}, base);
  const draft: Draft = {
    identifier: body.identifier,
    title: body.title === undefined ? (base?.title ?? null) : body.title,
    icon: body.icon === undefined ? (base?.icon ?? null) : body.icon,
    properties,
    relations,
    team: buildTeam(body.team, mode, existing),
  };
  const derived = derivedKeysOf(blueprint).filter((key) => Object.hasOwn(properties, key));
  const derivedIssues = derived.map((key) => ({
    path: `/properties/${key}`,
    message: 'is computed by the platform and cannot be written',
  }));
  const checked = derived.length > 0 ? without(properties, derived) : properties;
  const issues = checkProperties(blueprint, checked).filter((issue) => !isOldNews(issue, body.properties ?? {}, base));
  return {
    draft,
    issues: [...unknownNulls(blueprint, body.properties ?? {}), ...derivedIssues, ...issues, ...relationIssues],
  };
}

/** Null clears a property that the blueprint has; a key that it does not have is a misspelling, whatever its value. */
function unknownNulls(blueprint: StoredBlueprint, written: Properties): Issue[] {
  const known = (key: string) => Object.hasOwn(propertiesOf(blueprint), key) || derivedKeysOf(blueprint).includes(key);
  return Object.entries(written).flatMap(([key, value]) =>
    value !== null || known(key) ? [] : [{ path: `/properties/${key}`, message: 'is not a property of the blueprint' }],
  );
}

/**
 * A value that a merge does not touch is not judged again: a blueprint that became stricter keeps what is there until
 * that key is written (catalog semantics §2.5). A required value that is missing has to come with the next write.
 */
function isOldNews({ path }: Issue, written: Properties, base: StoredEntity | undefined): boolean {
  const key = path.split('/')[2] ?? '';
  return base !== undefined && Object.hasOwn(base.properties, key) && !Object.hasOwn(written, key);
}

function buildProperties(
  blueprint: StoredBlueprint,
  written: Properties,
  base: StoredEntity | undefined,
  isNew: boolean,
): Properties {
  const definitions = propertiesOf(blueprint);
  const required = new Set(blueprint.definition.schema.required);
  const values: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(base?.properties ?? {})) {
    // values of properties that left the blueprint do not come back to trip a later write
    if (Object.hasOwn(definitions, key)) values[key] = value;
  }
  for (const [key, value] of Object.entries(written)) {
    if (value === null) delete values[key];
    else values[key] = value;
  }
  if (base) return values;
  for (const [key, definition] of Object.entries(definitions)) {
    if (definition.default === undefined || definition.default === null || Object.hasOwn(written, key)) continue;
    if (isNew || required.has(key)) values[key] = definition.default;
  }
  return values;
}

function buildRelations(
  blueprint: StoredBlueprint,
  written: Readonly<Record<string, RelationValue>>,
  base: StoredEntity | undefined,
): { relations: Relations; issues: Issue[] } {
  const definitions = relationsOf(blueprint);
  const issues: Issue[] = [];
  const values: Record<string, RelationValue> = {};
  for (const [key, value] of Object.entries(base?.relations ?? {})) {
    if (Object.hasOwn(definitions, key)) values[key] = value;
  }
  for (const [key, value] of Object.entries(written)) {
    const path = `/relations/${key}`;
    const definition = Object.hasOwn(definitions, key) ? definitions[key] : undefined;
    if (!definition) issues.push({ path, message: 'is not a relation of the blueprint' });
    else if (value === null) delete values[key];
    else if (typeof value === 'string') values[key] = definition.many ? [value] : value;
    else if (!definition.many) issues.push({ path, message: 'takes one identifier, not a list' });
    else if (value.length === 0) delete values[key];
    else values[key] = [...new Set(value)];
  }
  for (const [key, { required }] of Object.entries(definitions)) {
    if (required && !Object.hasOwn(values, key)) issues.push({ path: `/relations/${key}`, message: 'is required' });
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

/** Whether a write would change nothing that people can see. */
export function isUnchanged(
  existing: StoredEntity,
  next: Pick<StoredEntity, 'identifier' | 'title' | 'icon' | 'properties' | 'relations' | 'ownTeamRefs'>,
): boolean {
  return (
    existing.identifier === next.identifier &&
    existing.title === next.title &&
    existing.icon === next.icon &&
    isDeepStrictEqual(existing.ownTeamRefs, next.ownTeamRefs) &&
    isDeepStrictEqual(existing.properties, next.properties) &&
    isDeepStrictEqual(existing.relations, next.relations)
  );
}
