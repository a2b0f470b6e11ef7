import type { ActionGrantBody, ActionPermissions } from '@portolan/contract';
import { type Actor, isAdmin } from '../../platform/actor.ts';
import { isNamedIn, mergeLists, presentLists, type ResolveTeams } from '../identity/index.ts';
import type { ActionGrant, StoredAction } from './action.ts';
import { isSelfService } from './action.ts';

type ActionVerb = 'execute' | 'approve';

/** Everybody runs a new action, administrators approve (compatibility choices, Actions). */
const defaults = { execute: { roles: ['Admin', 'Member'] }, approve: { roles: ['Admin'] } } as const satisfies Record<
  ActionVerb,
  ActionGrant
>;

/** The grant in force: what is stored, else the default. */
export function grantOf({ rights }: Pick<StoredAction, 'rights'>, verb: ActionVerb): ActionGrant {
  return rights?.[verb] ?? defaults[verb];
}

/**
 * Whether the lists of a grant name the actor, for an entity that these teams own. Where a policy is there, being named
 * lets one see the action, and the policy decides.
 */
export function isGranted(
  actor: Actor,
  action: Pick<StoredAction, 'rights'>,
  verb: ActionVerb,
  entityTeams: readonly string[] = [],
): boolean {
  if (isAdmin(actor)) return true;
  const grant = grantOf(action, verb);
  if (isNamedIn(actor, grant)) return true;
  return (grant.ownedByTeam ?? false) && entityTeams.some((team) => actor.teamKeys.includes(team));
}

/** Whether the actor may run the action at least on some entity, as far as its lists say; a policy is asked at the run. */
export function mayTry(actor: Actor, action: StoredAction): boolean {
  const canOwn = (grantOf(action, 'execute').ownedByTeam ?? false) && actor.teamKeys.length > 0;
  return canOwn || isGranted(actor, action, 'execute');
}

/** People see the self-service actions that they may run at least on some entity; automations are for administrators. */
export function maySee(actor: Actor, action: StoredAction): boolean {
  if (isAdmin(actor)) return true;
  if (!isSelfService(action)) return false;
  return mayTry(actor, action) || isGranted(actor, action, 'approve');
}

/** The grant after a change: each list that is named replaces the stored one, a null policy is removed. */
export function mergeGrant(
  action: StoredAction,
  verb: ActionVerb,
  change: ActionGrantBody,
  resolve: ResolveTeams,
): ActionGrant {
  const current = grantOf(action, verb);
  const policy = change.policy === undefined ? current.policy : (change.policy ?? undefined);
  return {
    ...mergeLists(current, change, resolve),
    ...(verb === 'execute' ? { ownedByTeam: change.ownedByTeam ?? current.ownedByTeam ?? false } : {}),
    ...(policy === undefined ? {} : { policy }),
  };
}

/** The rights in force, with teams as the organization names them. */
export function presentRights(action: StoredAction, teamNames: ReadonlyMap<string, string>): ActionPermissions {
  const show = (grant: ActionGrant) => ({
    ...presentLists(grant, teamNames),
    policy: grant.policy ?? null,
  });
  const execute = grantOf(action, 'execute');
  return {
    execute: { ...show(execute), ownedByTeam: execute.ownedByTeam ?? false },
    approve: show(grantOf(action, 'approve')),
  };
}

/** Every team reference of the stored rights. */
export function referencesOf({ rights }: StoredAction): string[] {
  return [...(rights?.execute?.teams ?? []), ...(rights?.approve?.teams ?? [])];
}
