import { type Actor, isAdmin } from '../../platform/actor.ts';
import { ownValue } from '../../platform/collections.ts';
import { AppError, notFound } from '../../platform/errors.ts';

/** What can be done with the entities of a blueprint (users-and-teams §5.2). */
export type EntityVerb = 'read' | 'register' | 'update' | 'unregister';

/** Who may do one thing: any of the roles, users or teams, the owning teams, or by policy. */
export interface Grant {
  readonly roles?: readonly string[];
  readonly users?: readonly string[];
  /** Keys of teams, and marked names that match no team and grant nothing. */
  readonly teams?: readonly string[];
  readonly ownedByTeam?: boolean;
  /** A search query, stored as written; `access` evaluates it. */
  readonly policy?: unknown;
}

/** The part a granular right is about; meta-properties count as properties. */
export type EntityPart = 'updateProperties' | 'updateRelations';

/** A grant by its place: a verb, or `updateProperties.<key>`. */
export type GrantName = EntityVerb | `${EntityPart}.${string}`;

export interface NamedGrant {
  readonly name: GrantName;
  readonly grant: Grant;
}

/** Absent parts have the default. */
export type EntityRights = Partial<Record<EntityVerb, Grant>> &
  Partial<Record<EntityPart, Readonly<Record<string, Grant>>>>;

/** The blueprint a decision is about. */
export interface ProtectedBlueprint {
  readonly identifier: string;
  readonly rights: EntityRights | null;
}

/** What a decision needs of an entity. */
export interface Subject {
  readonly teamRefs: readonly string[];
  /** Grants whose policies the entity satisfies; absent means none was evaluated, and none counts. */
  readonly met?: ReadonlySet<GrantName>;
}

/** Rules of a grant in the order of evaluation (users-and-teams §5.2). */
export const grantRules = ['role', 'ownedByTeam', 'team', 'user', 'policy'] as const;
export type GrantRule = (typeof grantRules)[number];

/** The rule and grant that allow something; undefined if none. Administrators need no grant. */
type Decision = { readonly rule: 'admin' } | { readonly rule: GrantRule; readonly grant: GrantName } | undefined;

/** The entities a verb is allowed on: all, the owned ones, or those that policies select. */
export interface GrantScope {
  readonly isAll: boolean;
  readonly isOwned: boolean;
  readonly policies: readonly NamedGrant[];
}

const verbs = ['read', 'register', 'update', 'unregister'] as const;
const everything: GrantScope = { isAll: true, isOwned: false, policies: [] };
const nothing: GrantScope = { isAll: false, isOwned: false, policies: [] };

/** Administrators and moderators of the blueprint write, members read (catalog semantics §2.7). */
function defaultGrant(verb: EntityVerb, blueprint: string): Grant {
  const writers = ['Admin', `${blueprint}-moderator`];
  return { roles: verb === 'read' ? [...writers, 'Member'] : writers };
}

/** The stored grant, or the default. */
export function blueprintGrant(blueprint: ProtectedBlueprint, verb: EntityVerb): Grant {
  return blueprint.rights?.[verb] ?? defaultGrant(verb, blueprint.identifier);
}

/** The granular grant of a property, meta-property or relation, stored or default. */
export function partGrant(blueprint: ProtectedBlueprint, part: EntityPart, key: string): Grant {
  return ownValue(blueprint.rights?.[part] ?? {}, key) ?? defaultGrant('update', blueprint.identifier);
}

/** The policy, unless `ownedByTeam` makes it ignored (users-and-teams §5.2). */
export function effectivePolicy({ policy, ownedByTeam }: Grant): unknown {
  return ownedByTeam ? undefined : policy;
}

/** Grants that allow a verb, in order: a right to write anything of an entity includes reading it. */
export function grantsBehind(verb: EntityVerb, blueprint: ProtectedBlueprint): NamedGrant[] {
  const own = { name: verb, grant: blueprintGrant(blueprint, verb) };
  if (verb !== 'read') return [own];
  const writing = verbs.slice(1).map((each) => ({ name: each, grant: blueprintGrant(blueprint, each) }));
  return [own, ...writing, ...storedParts(blueprint)];
}

/** The same for one part: `update` beats the granular rights. */
export function grantsBehindPart(blueprint: ProtectedBlueprint, part: EntityPart, key: string): NamedGrant[] {
  return [
    { name: 'update', grant: blueprintGrant(blueprint, 'update') },
    { name: `${part}.${key}`, grant: partGrant(blueprint, part, key) },
  ];
}

export function storedGrants(blueprint: ProtectedBlueprint): NamedGrant[] {
  if (!blueprint.rights) return [];
  const grants = verbs.map((name): NamedGrant => ({ name, grant: blueprintGrant(blueprint, name) }));
  return [...grants, ...storedParts(blueprint)];
}

export function listPolicyGrants(blueprint: ProtectedBlueprint): NamedGrant[] {
  return storedGrants(blueprint).filter(({ grant }) => effectivePolicy(grant) !== undefined);
}

function storedParts({ rights }: ProtectedBlueprint): NamedGrant[] {
  return (['updateProperties', 'updateRelations'] as const).flatMap((part) =>
    Object.entries(rights?.[part] ?? {}).map(([key, grant]): NamedGrant => ({ name: `${part}.${key}`, grant })),
  );
}

/** The one decision: the first rule of the first grant that allows the actor on the entity. */
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
      return effectivePolicy(grant) !== undefined && (met?.has(name) ?? false);
  }
}

/** Whether the actor is a client that was not installed for this blueprint; bare entities are made of related ones. */
function isBeyondReach({ reach }: Actor, verb: EntityVerb, { identifier }: ProtectedBlueprint): boolean {
  if (!reach || reach.written.has(identifier)) return false;
  if (reach.isOpen && !identifier.startsWith('_')) return false;
  return !(reach.related.has(identifier) && (verb === 'read' || verb === 'register'));
}

/** `decide` for many entities at once, as a scope for conditions. */
export function grantScope(actor: Actor, verb: EntityVerb, blueprint: ProtectedBlueprint): GrantScope {
  if (isBeyondReach(actor, verb, blueprint)) return nothing;
  return isAdmin(actor) ? everything : scopeBy(actor, grantsBehind(verb, blueprint));
}

function scopeBy(actor: Actor, grants: readonly NamedGrant[]): GrantScope {
  const unowned: Subject = { teamRefs: [] };
  if (grants.some((each) => grantRules.some((rule) => allows(actor, rule, each, unowned)))) return everything;
  return {
    isAll: false,
    isOwned: actor.teamKeys.length > 0 && grants.some(({ grant }) => grant.ownedByTeam),
    policies: grants.filter(({ grant }) => effectivePolicy(grant) !== undefined),
  };
}

function isSome({ isAll, isOwned, policies }: GrantScope): boolean {
  return isAll || isOwned || policies.length > 0;
}

/** Whether entities may exist on which the verb is allowed; policies are not evaluated. */
export function can(actor: Actor, verb: EntityVerb, blueprint: ProtectedBlueprint): boolean {
  return isSome(grantScope(actor, verb, blueprint));
}

export function canOn(actor: Actor, verb: EntityVerb, blueprint: ProtectedBlueprint, subject: Subject): boolean {
  if (isBeyondReach(actor, verb, blueprint)) return false;
  // skips collecting grants: runs for every entity written
  return isAdmin(actor) || decide(actor, grantsBehind(verb, blueprint), subject) !== undefined;
}

/** Whether entities may exist of which the actor may change anything. */
export function canUpdateSome(actor: Actor, blueprint: ProtectedBlueprint): boolean {
  if (isBeyondReach(actor, 'update', blueprint)) return false;
  return can(actor, 'update', blueprint) || isSome(scopeBy(actor, storedParts(blueprint)));
}

export function canUpdatePart(
  actor: Actor,
  blueprint: ProtectedBlueprint,
  part: EntityPart,
  key: string,
  subject: Subject,
): boolean {
  if (isBeyondReach(actor, 'update', blueprint)) return false;
  return decide(actor, grantsBehindPart(blueprint, part, key), subject) !== undefined;
}

/** Whether a grant names the actor by role, address or team; ownership is ignored. */
export function isNamedIn(actor: Actor, grant: Grant): boolean {
  return namedBy(actor, grant) !== undefined;
}

/** By which list a grant names the actor; ownership is ignored. */
export function namedBy(actor: Actor, grant: Grant): 'role' | 'team' | 'user' | undefined {
  const named = { name: 'read', grant } as const;
  return (['role', 'team', 'user'] as const).find((rule) => allows(actor, rule, named, { teamRefs: [] }));
}

/** Role names of moderators match in any case (users-and-teams §5.1). */
function hasRole(actor: Actor, role: string): boolean {
  if (actor.roles.includes(role)) return true;
  const lower = role.toLowerCase();
  return lower.endsWith('-moderator') && actor.roles.some((own) => own.toLowerCase() === lower);
}

/** @throws AppError `not_found` if the actor may not read the blueprint's entities, otherwise `missing_permissions` */
export function authorise(actor: Actor, verb: EntityVerb, blueprint: ProtectedBlueprint): void {
  if (can(actor, verb, blueprint)) return;
  if (!can(actor, 'read', blueprint)) {
    throw notFound('Blueprint', blueprint.identifier);
  }
  throw forbidden(verb, blueprint);
}

/** The error for a verb on a blueprint that the actor may read. */
export function forbidden(verb: EntityVerb, blueprint: ProtectedBlueprint): AppError {
  return new AppError('missing_permissions', `You may not ${verb} entities of the blueprint "${blueprint.identifier}"`);
}
