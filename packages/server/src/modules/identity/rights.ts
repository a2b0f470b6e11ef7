import { type Actor, isAdmin } from '../../platform/actor.ts';
import { ownValue } from '../../platform/collections.ts';
import { AppError, notFound } from '../../platform/errors.ts';

/** What can be done with the entities of a blueprint (users-and-teams §5.2). */
export type EntityVerb = 'read' | 'register' | 'update' | 'unregister';

/** Who may do one thing: any of the roles, users or teams, whoever shares a team with the entity, or a policy. */
export interface Grant {
  readonly roles?: readonly string[];
  readonly users?: readonly string[];
  /** References: keys of teams, and marked names that resolved to none and grant nothing. */
  readonly teams?: readonly string[];
  readonly ownedByTeam?: boolean;
  /** A query that entities must match, kept as it was written; `access` finds out which do. */
  readonly policy?: unknown;
}

/** Which part of an entity a granular right is about; meta-properties count as properties. */
export type EntityPart = 'updateProperties' | 'updateRelations';

/** A grant by its place: a verb, or `updateProperties.<key>`. */
export type GrantName = EntityVerb | `${EntityPart}.${string}`;

export interface NamedGrant {
  readonly name: GrantName;
  readonly grant: Grant;
}

/** Rights as they are stored: what is absent has the default. */
export type EntityRights = Partial<Record<EntityVerb, Grant>> &
  Partial<Record<EntityPart, Readonly<Record<string, Grant>>>>;

/** The blueprint a decision is about. */
export interface Protected {
  readonly identifier: string;
  readonly rights: EntityRights | null;
}

/** What a decision looks at of an entity. */
export interface Subject {
  readonly teamRefs: readonly string[];
  /** The grants whose policies the entity satisfies; absent where nobody looked, and then none does. */
  readonly met?: ReadonlySet<GrantName>;
}

/** The rules of a grant in the order in which they are asked (users-and-teams §5.2). */
export const grantRules = ['role', 'ownedByTeam', 'team', 'user', 'policy'] as const;
export type GrantRule = (typeof grantRules)[number];

/** Which rule of which grant allows something; undefined where none does. Administrators need no grant. */
type Decision = { readonly rule: 'admin' } | { readonly rule: GrantRule; readonly grant: GrantName } | undefined;

/** On which entities of a blueprint something may be done: on all, or on those that one of the others is about. */
export interface Reach {
  readonly isAll: boolean;
  readonly isOwned: boolean;
  /** Grants whose policies decide. */
  readonly policies: readonly NamedGrant[];
}

const verbs = ['read', 'register', 'update', 'unregister'] as const;
const everything: Reach = { isAll: true, isOwned: false, policies: [] };

/** Administrators and moderators of the blueprint write, members read (catalog semantics §2.7). */
function defaultGrant(verb: EntityVerb, blueprint: string): Grant {
  const writers = ['Admin', `${blueprint}-moderator`];
  return { roles: verb === 'read' ? [...writers, 'Member'] : writers };
}

/** The grant in force: what is stored, else the default. */
export function grantOf(blueprint: Protected, verb: EntityVerb): Grant {
  return blueprint.rights?.[verb] ?? defaultGrant(verb, blueprint.identifier);
}

/** The granular grant in force for a property, meta-property or relation. */
export function partGrantOf(blueprint: Protected, part: EntityPart, key: string): Grant {
  return ownValue(blueprint.rights?.[part] ?? {}, key) ?? defaultGrant('update', blueprint.identifier);
}

/** The policy of a grant, unless it is out of force: with `ownedByTeam` it is ignored (users-and-teams §5.2). */
export function policyOf({ policy, ownedByTeam }: Grant): unknown {
  return ownedByTeam ? undefined : policy;
}

/** The grants that allow a verb, in the order they are asked: whoever may write something of an entity may read it. */
export function grantsBehind(verb: EntityVerb, blueprint: Protected): NamedGrant[] {
  const own = { name: verb, grant: grantOf(blueprint, verb) };
  if (verb !== 'read') return [own];
  const writing = verbs.slice(1).map((each) => ({ name: each, grant: grantOf(blueprint, each) }));
  return [own, ...writing, ...storedParts(blueprint)];
}

/** The same for one property, meta-property or relation: the right to update everything beats the granular ones. */
export function grantsBehindPart(blueprint: Protected, part: EntityPart, key: string): NamedGrant[] {
  return [
    { name: 'update', grant: grantOf(blueprint, 'update') },
    { name: `${part}.${key}`, grant: partGrantOf(blueprint, part, key) },
  ];
}

/** The grants that somebody wrote, by name. */
export function storedGrants(blueprint: Protected): NamedGrant[] {
  if (!blueprint.rights) return [];
  const grants = verbs.map((name): NamedGrant => ({ name, grant: grantOf(blueprint, name) }));
  return [...grants, ...storedParts(blueprint)];
}

/** Every grant of a blueprint whose policy is in force. */
export function policiesOf(blueprint: Protected): NamedGrant[] {
  return storedGrants(blueprint).filter(({ grant }) => policyOf(grant) !== undefined);
}

function storedParts({ rights }: Protected): NamedGrant[] {
  return (['updateProperties', 'updateRelations'] as const).flatMap((part) =>
    Object.entries(rights?.[part] ?? {}).map(([key, grant]): NamedGrant => ({ name: `${part}.${key}`, grant })),
  );
}

/** The one decision: the first rule of the first of these grants that lets the actor at the entity. */
function decide(actor: Actor, grants: readonly NamedGrant[], subject: Subject): Decision {
  if (isAdmin(actor)) return { rule: 'admin' };
  for (const named of grants) {
    const rule = grantRules.find((each) => allows(actor, each, named, subject));
    if (rule) return { rule, grant: named.name };
  }
  return undefined;
}

/** Whether one rule of a grant lets the actor at the entity. */
export function allows(
  actor: Actor,
  rule: GrantRule,
  { name, grant }: NamedGrant,
  { teamRefs, met }: Subject,
): boolean {
  switch (rule) {
    case 'role':
      return grant.roles?.some((role) => hasRole(actor, role)) ?? false;
    case 'ownedByTeam':
      return (grant.ownedByTeam ?? false) && teamRefs.some((team) => actor.teamKeys.includes(team));
    case 'team':
      return grant.teams?.some((team) => actor.teamKeys.includes(team)) ?? false;
    case 'user':
      return actor.userId !== undefined && (grant.users?.includes(actor.userId) ?? false);
    case 'policy':
      return policyOf(grant) !== undefined && (met?.has(name) ?? false);
  }
}

/** On which entities of the blueprint the actor may do it, for conditions over many of them: `decide` turned round. */
export function reachOf(actor: Actor, verb: EntityVerb, blueprint: Protected): Reach {
  return isAdmin(actor) ? everything : reachBy(actor, grantsBehind(verb, blueprint));
}

function reachBy(actor: Actor, grants: readonly NamedGrant[]): Reach {
  const nothing: Subject = { teamRefs: [] };
  if (grants.some((each) => grantRules.some((rule) => allows(actor, rule, each, nothing)))) return everything;
  return {
    isAll: false,
    isOwned: actor.teamKeys.length > 0 && grants.some(({ grant }) => grant.ownedByTeam),
    policies: grants.filter(({ grant }) => policyOf(grant) !== undefined),
  };
}

function isSome({ isAll, isOwned, policies }: Reach): boolean {
  return isAll || isOwned || policies.length > 0;
}

/** Whether there may be entities of the blueprint on which the actor may do it; policies are not asked. */
export function can(actor: Actor, verb: EntityVerb, blueprint: Protected): boolean {
  return isSome(reachOf(actor, verb, blueprint));
}

/** Whether the actor may do it on this entity. */
export function canOn(actor: Actor, verb: EntityVerb, blueprint: Protected, subject: Subject): boolean {
  // before the grants are collected: asked for every entity that is written
  return isAdmin(actor) || decide(actor, grantsBehind(verb, blueprint), subject) !== undefined;
}

/** Whether there may be entities of which the actor may change something: all of it, or single properties or relations. */
export function canUpdateSome(actor: Actor, blueprint: Protected): boolean {
  return can(actor, 'update', blueprint) || isSome(reachBy(actor, storedParts(blueprint)));
}

/** Whether the actor may set one property, meta-property or relation of this entity. */
export function canUpdatePart(
  actor: Actor,
  blueprint: Protected,
  part: EntityPart,
  key: string,
  subject: Subject,
): boolean {
  return decide(actor, grantsBehindPart(blueprint, part, key), subject) !== undefined;
}

/** Whether a grant names the actor by role, address or team; what owns a thing is not looked at. */
export function isNamedIn(actor: Actor, grant: Grant): boolean {
  const named = { name: 'read', grant } as const;
  return (['role', 'team', 'user'] as const).some((rule) => allows(actor, rule, named, { teamRefs: [] }));
}

/** People write the roles of moderators in any case (users-and-teams §5.1). */
function hasRole(actor: Actor, role: string): boolean {
  if (actor.roles.includes(role)) return true;
  const lower = role.toLowerCase();
  return lower.endsWith('-moderator') && actor.roles.some((own) => own.toLowerCase() === lower);
}

/**
 * @throws AppError `not_found` if the actor may not even read the blueprint's entities, else `missing_permissions`
 */
export function authorise(actor: Actor, verb: EntityVerb, blueprint: Protected): void {
  if (can(actor, verb, blueprint)) return;
  if (!can(actor, 'read', blueprint)) {
    throw notFound('Blueprint', blueprint.identifier);
  }
  throw forbidden(verb, blueprint);
}

/** The refusal of a verb that the actor may know of. */
export function forbidden(verb: EntityVerb, blueprint: Protected): AppError {
  return new AppError('missing_permissions', `You may not ${verb} entities of the blueprint "${blueprint.identifier}"`);
}
