import type {
  BlueprintPermissions,
  BlueprintPermissionsBody,
  GrantBody,
} from '@portolan/contract/blueprint-permissions';
import type { Issue } from '@portolan/contract/errors';
import type { SearchQuery } from '@portolan/contract/search-query';
import { ownValue } from '../../platform/collections.ts';
import type { ResolveTeams } from '../accounts/index.ts';
import {
  blueprintGrant,
  type EntityPart,
  type EntityRights,
  type EntityVerb,
  type Grant,
  type GrantName,
  mergeLists,
  partGrant,
  presentLists,
} from '../rights/index.ts';
import { blueprintProperties, blueprintRelations, type StoredBlueprint } from './blueprint.ts';

/** Meta-properties with a right of their own (api contract §3.7.1). */
const metaKeys = ['$title', '$icon', '$team', '$identifier'] as const;
const verbs = ['register', 'update', 'unregister'] as const;

/** Keys in `updateProperties` or `updateRelations` of a blueprint. */
export function keysOfPart(blueprint: StoredBlueprint, part: EntityPart): string[] {
  return part === 'updateProperties'
    ? [...Object.keys(blueprintProperties(blueprint)), ...metaKeys]
    : Object.keys(blueprintRelations(blueprint));
}

/** Issues with a change of rights: unknown keys. */
export function checkPermissions(blueprint: StoredBlueprint, { entities }: BlueprintPermissionsBody): Issue[] {
  return (['updateProperties', 'updateRelations'] as const).flatMap((part) => {
    const known = new Set(keysOfPart(blueprint, part));
    const what = part === 'updateProperties' ? 'a property' : 'a relation';
    return Object.keys(entities[part] ?? {})
      .filter((key) => !known.has(key))
      .map((key) => ({ path: `/entities/${part}/${key}`, message: `is not ${what} of the blueprint` }));
  });
}

/** Team names in the lists of a change of rights. */
export function teamsIn(body: BlueprintPermissionsBody): string[] {
  return [...new Set(grantsIn(body).flatMap((grant) => grant?.teams ?? []))];
}

/** Team names in the policies of a change of rights. */
export function teamsInPolicies(body: BlueprintPermissionsBody): string[] {
  const policies = grantsIn(body).flatMap((grant) => (grant?.policy ? [grant.policy as SearchQuery] : []));
  return [...new Set(policies.flatMap(teamsCompared))];
}

function grantsIn({ entities }: BlueprintPermissionsBody) {
  return [
    entities.read,
    ...verbs.map((verb) => entities[verb]),
    ...Object.values(entities.updateProperties ?? {}),
    ...Object.values(entities.updateRelations ?? {}),
  ];
}

function teamsCompared({ rules }: SearchQuery): string[] {
  return rules.flatMap((rule) => {
    if ('combinator' in rule) return teamsCompared(rule);
    if (!('property' in rule && rule.property === '$team' && 'value' in rule)) return [];
    const names = [rule.value].flat().filter((value): value is string => typeof value === 'string');
    return names.filter((name) => name !== 'My Teams');
  });
}

/**
 * Rights after a change: blocks that are absent or empty stay, and so do lists inside a block. A block with content
 * replaces the policy, so leaving it out removes it (decision 0072). Teams become references. Keys no longer in the
 * blueprint are dropped.
 */
export function mergePermissions(
  blueprint: StoredBlueprint,
  { entities }: BlueprintPermissionsBody,
  resolve: ResolveTeams,
): EntityRights {
  const merged: Record<string, unknown> = {};
  for (const verb of ['read', ...verbs] as const) {
    const change = entities[verb];
    const stored = blueprint.rights?.[verb];
    if (change && hasContent(change)) merged[verb] = mergeGrant(blueprintGrant(blueprint, verb), change, resolve);
    else if (stored) merged[verb] = stored;
  }
  for (const part of ['updateProperties', 'updateRelations'] as const) {
    const known = new Set(keysOfPart(blueprint, part));
    const grants: Record<string, Grant> = {};
    for (const [key, grant] of Object.entries(blueprint.rights?.[part] ?? {})) if (known.has(key)) grants[key] = grant;
    for (const [key, change] of Object.entries(entities[part] ?? {})) {
      if (hasContent(change)) grants[key] = mergeGrant(partGrant(blueprint, part, key), change, resolve);
    }
    if (Object.keys(grants).length > 0) merged[part] = grants;
  }
  return merged as EntityRights;
}

function hasContent(change: object): boolean {
  return Object.entries(change).some(([key, value]) => key === 'policy' || (value !== undefined && value !== null));
}

function mergeGrant(current: Grant, change: GrantBody, resolve: ResolveTeams): Grant {
  return {
    ...mergeLists(current, change, resolve),
    ownedByTeam: change.ownedByTeam ?? current.ownedByTeam ?? false,
    ...(change.policy ? { policy: change.policy } : {}),
  };
}

/** Names of grants that lose their policy by omission rather than by null. */
export function policiesLeftOut(
  { rights }: Pick<StoredBlueprint, 'rights'>,
  { entities }: BlueprintPermissionsBody,
): GrantName[] {
  const changes: readonly (readonly [GrantName, GrantBody | null | undefined, Grant | undefined])[] = [
    ...(['read', ...verbs] as const).map((verb) => [verb, entities[verb], rights?.[verb]] as const),
    ...(['updateProperties', 'updateRelations'] as const).flatMap((part) =>
      Object.entries(entities[part] ?? {}).map(
        ([key, change]) => [`${part}.${key}`, change, ownValue(rights?.[part] ?? {}, key)] as const,
      ),
    ),
  ];
  return changes.flatMap(([name, change, stored]) =>
    change && stored?.policy !== undefined && change.policy === undefined && hasContent(change) ? [name] : [],
  );
}

/** The rights in force in full (api contract §3.7.1): a block for every property, meta-property and relation. */
export function presentPermissions(
  blueprint: StoredBlueprint,
  teamNames: ReadonlyMap<string, string>,
): BlueprintPermissions {
  const show = (grant: Grant) => ({
    ...presentLists(grant, teamNames),
    ownedByTeam: grant.ownedByTeam ?? false,
    ...(grant.policy === undefined ? {} : { policy: grant.policy as SearchQuery }),
  });
  const part = (name: EntityPart) =>
    Object.fromEntries(keysOfPart(blueprint, name).map((key) => [key, show(partGrant(blueprint, name, key))]));
  const verb = (name: EntityVerb) => show(blueprintGrant(blueprint, name));
  return {
    entities: {
      read: verb('read'),
      register: verb('register'),
      update: verb('update'),
      unregister: verb('unregister'),
      updateProperties: part('updateProperties'),
      updateRelations: part('updateRelations'),
    },
  };
}

export function referencesIn(rights: EntityRights | null): string[] {
  if (!rights) return [];
  const { updateProperties, updateRelations, ...blocks } = rights;
  return [...Object.values(blocks), ...Object.values(updateProperties ?? {}), ...Object.values(updateRelations ?? {})]
    .flatMap((grant) => grant.teams ?? [])
    .filter((reference, index, all) => all.indexOf(reference) === index);
}

/** Applies a change to every grant, for renames. */
export function mapGrants(rights: EntityRights, change: (grant: Grant) => Grant): EntityRights {
  const { updateProperties, updateRelations, ...blocks } = rights;
  const map = (grants: Readonly<Record<string, Grant>>) =>
    Object.fromEntries(Object.entries(grants).map(([key, grant]) => [key, change(grant)]));
  return {
    ...map(blocks as Readonly<Record<string, Grant>>),
    ...(updateProperties ? { updateProperties: map(updateProperties) } : {}),
    ...(updateRelations ? { updateRelations: map(updateRelations) } : {}),
  };
}
