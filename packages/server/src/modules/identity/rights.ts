import { type Actor, isAdmin } from '../../platform/actor.ts';
import { AppError, notFound } from '../../platform/errors.ts';

/** What can be done with the entities of a blueprint (users-and-teams §5.2). */
export type EntityVerb = 'read' | 'register' | 'update' | 'unregister';

/** Who may do one verb: any of the roles, users or team keys. */
export interface Grant {
  readonly roles?: readonly string[];
  readonly users?: readonly string[];
  readonly teams?: readonly string[];
}

export type EntityRights = Partial<Record<EntityVerb, Grant>>;

/** The blueprint a decision is about. */
export interface Protected {
  readonly identifier: string;
  readonly rights: EntityRights | null;
}

/** Administrators and moderators of the blueprint write, members read (catalog semantics §2.7). */
function defaultGrant(verb: EntityVerb, blueprint: string): Grant {
  const writers = ['Admin', `${blueprint}-moderator`];
  return { roles: verb === 'read' ? [...writers, 'Member'] : writers };
}

/** Decides one verb on the entities of a blueprint. Administrators may do everything; a write grant implies read. */
export function can(actor: Actor, verb: EntityVerb, blueprint: Protected): boolean {
  if (isAdmin(actor)) return true;
  if (granted(actor, blueprint.rights?.[verb] ?? defaultGrant(verb, blueprint.identifier))) return true;
  return (
    verb === 'read' && (['register', 'update', 'unregister'] as const).some((write) => can(actor, write, blueprint))
  );
}

function granted(actor: Actor, grant: Grant): boolean {
  return (
    (grant.roles?.some((role) => actor.roles.includes(role)) ?? false) ||
    (actor.userId !== undefined && (grant.users?.includes(actor.userId) ?? false)) ||
    (grant.teams?.some((team) => actor.teamKeys.includes(team)) ?? false)
  );
}

/**
 * @throws AppError `not_found` if the actor may not even read the blueprint's entities, else `missing_permissions`
 */
export function authorise(actor: Actor, verb: EntityVerb, blueprint: Protected): void {
  if (can(actor, verb, blueprint)) return;
  if (!can(actor, 'read', blueprint)) {
    throw notFound('Blueprint', blueprint.identifier);
  }
  throw new AppError('missing_permissions', `You may not ${verb} entities of the blueprint "${blueprint.identifier}"`);
}
