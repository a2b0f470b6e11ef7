import { type Actor, isAdmin } from '../../platform/actor.ts';
import { ownValue } from '../../platform/collections.ts';
import { AppError, notFound } from '../../platform/errors.ts';

/** What can be done with the entities of a blueprint (users-and-teams §5.2). */
export type EntityVerb = 'read' | 'register' | 'update' | 'unregister';

/** Who may do one thing: any of the roles, users or teams, or whoever shares a team with the entity. */
export interface Grant {
  readonly roles?: readonly string[];
  readonly users?: readonly string[];
  /** References: keys of teams, and marked names that resolved to none and grant nothing. */
  readonly teams?: readonly string[];
  readonly ownedByTeam?: boolean;
  /** Of `read` alone: a query, kept as it was written; it grants nothing yet. */
  readonly policy?: unknown;
}

/** Which part of an entity a granular right is about; meta-properties count as properties. */
export type EntityPart = 'updateProperties' | 'updateRelations';

/** Rights as they are stored: what is absent has the default. */
export type EntityRights = Partial<Record<EntityVerb, Grant>> &
  Partial<Record<EntityPart, Readonly<Record<string, Grant>>>>;

/** The blueprint a decision is about. */
export interface Protected {
  readonly identifier: string;
  readonly rights: EntityRights | null;
}

/** On which entities of a blueprint something may be done: on all, on those owned by the actor's teams, on none. */
export type Reach = 'all' | 'owned' | 'none';

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

/**
 * On which entities of the blueprint the actor may do it. Administrators may do everything; whoever may write something
 * of an entity may read it.
 */
export function reachOf(actor: Actor, verb: EntityVerb, blueprint: Protected): Reach {
  if (isAdmin(actor)) return 'all';
  const reach = granted(actor, grantOf(blueprint, verb));
  if (verb !== 'read' || reach === 'all') return reach;
  const parts = [blueprint.rights?.updateProperties, blueprint.rights?.updateRelations];
  return widest([
    reach,
    ...(['register', 'update', 'unregister'] as const).map((write) => granted(actor, grantOf(blueprint, write))),
    ...parts.flatMap((part) => Object.values(part ?? {})).map((grant) => granted(actor, grant)),
  ]);
}

/** Whether the actor may do it on some entities of the blueprint at all. */
export function can(actor: Actor, verb: EntityVerb, blueprint: Protected): boolean {
  return reachOf(actor, verb, blueprint) !== 'none';
}

/** Whether the actor may do it on an entity that these teams own. */
export function canOn(actor: Actor, verb: EntityVerb, blueprint: Protected, teamRefs: readonly string[]): boolean {
  return covers(actor, reachOf(actor, verb, blueprint), teamRefs);
}

/** Whether the actor may change something of some entities: all of them, or single properties or relations. */
export function canUpdateSome(actor: Actor, blueprint: Protected): boolean {
  if (can(actor, 'update', blueprint)) return true;
  const parts = [blueprint.rights?.updateProperties, blueprint.rights?.updateRelations];
  return parts.some((part) => Object.values(part ?? {}).some((grant) => granted(actor, grant) !== 'none'));
}

/** Whether the actor may set one property, meta-property or relation of an entity that these teams own. */
export function canUpdatePart(
  actor: Actor,
  blueprint: Protected,
  part: EntityPart,
  key: string,
  teamRefs: readonly string[],
): boolean {
  // the right to update everything beats the granular ones (users-and-teams §5.2)
  if (canOn(actor, 'update', blueprint, teamRefs)) return true;
  return covers(actor, granted(actor, partGrantOf(blueprint, part, key)), teamRefs);
}

/** Whether a grant names the actor by role, address or team; what owns a thing is not looked at. */
export function isNamedIn(actor: Actor, grant: Grant): boolean {
  return granted(actor, { ...grant, ownedByTeam: false }) === 'all';
}

function covers(actor: Actor, reach: Reach, teamRefs: readonly string[]): boolean {
  return reach === 'all' || (reach === 'owned' && teamRefs.some((team) => actor.teamKeys.includes(team)));
}

function granted(actor: Actor, grant: Grant): Reach {
  const isNamed =
    (grant.roles?.some((role) => hasRole(actor, role)) ?? false) ||
    (actor.userId !== undefined && (grant.users?.includes(actor.userId) ?? false)) ||
    (grant.teams?.some((team) => actor.teamKeys.includes(team)) ?? false);
  if (isNamed) return 'all';
  return grant.ownedByTeam && actor.teamKeys.length > 0 ? 'owned' : 'none';
}

/** People write the roles of moderators in any case (users-and-teams §5.1). */
function hasRole(actor: Actor, role: string): boolean {
  if (actor.roles.includes(role)) return true;
  const lower = role.toLowerCase();
  return lower.endsWith('-moderator') && actor.roles.some((own) => own.toLowerCase() === lower);
}

function widest(reaches: readonly Reach[]): Reach {
  if (reaches.includes('all')) return 'all';
  return reaches.includes('owned') ? 'owned' : 'none';
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
