import type { ActionGrantBody, ActionPermissions } from '@portolan/contract/actions';
import { type Actor, isAdmin } from '../../platform/actor.ts';
import type { ResolveTeams } from '../accounts/index.ts';
import { isNamedIn, mergeLists, presentLists } from '../rights/index.ts';
import type { ActionGrant, StoredAction } from './action.ts';
import { isSelfService } from './action.ts';

type ActionVerb = 'execute' | 'approve';

/** By default everyone runs an action and administrators approve (compatibility choices, Actions). */
const defaults = { execute: { roles: ['Admin', 'Member'] }, approve: { roles: ['Admin'] } } as const satisfies Record<
  ActionVerb,
  ActionGrant
>;

/** The stored grant, or the default. */
export function actionGrant({ rights }: Pick<StoredAction, 'rights'>, verb: ActionVerb): ActionGrant {
  return rights?.[verb] ?? defaults[verb];
}

/**
 * True if the lists of a grant name the actor, for an entity owned by these teams. If there is a policy, this only
 * makes the action visible; the policy decides about runs.
 */
export function isGranted(
  actor: Actor,
  action: Pick<StoredAction, 'rights'>,
  verb: ActionVerb,
  entityTeams: readonly string[] = [],
): boolean {
  if (isAdmin(actor)) return true;
  const grant = actionGrant(action, verb);
  if (isNamedIn(actor, grant)) return true;
  return (grant.ownedByTeam ?? false) && entityTeams.some((team) => actor.teamKeys.includes(team));
}

/** Whether there can be a run that the actor may execute or approve; costs nothing, and a policy may still refuse. */
export function mightBeGranted(actor: Actor, action: Pick<StoredAction, 'rights'>, verb: ActionVerb): boolean {
  const { policy, ownedByTeam = false } = actionGrant(action, verb);
  return policy !== undefined || (ownedByTeam && actor.teamKeys.length > 0) || isGranted(actor, action, verb);
}

/** True if the lists allow the action on some entity; a policy is evaluated when the action runs. */
export function mayTry(actor: Actor, action: StoredAction): boolean {
  const canOwn = (actionGrant(action, 'execute').ownedByTeam ?? false) && actor.teamKeys.length > 0;
  return canOwn || isGranted(actor, action, 'execute');
}

/** Self-service actions are visible to everyone who may run them on some entity; automations to administrators. */
export function maySee(actor: Actor, action: StoredAction): boolean {
  if (isAdmin(actor)) return true;
  if (!isSelfService(action)) return false;
  return mayTry(actor, action) || isGranted(actor, action, 'approve');
}

/** Each list in the body replaces the stored one; null removes a policy. */
export function mergeGrant(
  action: StoredAction,
  verb: ActionVerb,
  change: ActionGrantBody,
  resolve: ResolveTeams,
): ActionGrant {
  const current = actionGrant(action, verb);
  const policy = change.policy === undefined ? current.policy : (change.policy ?? undefined);
  return {
    ...mergeLists(current, change, resolve),
    ...(verb === 'execute' ? { ownedByTeam: change.ownedByTeam ?? current.ownedByTeam ?? false } : {}),
    ...(policy === undefined ? {} : { policy }),
  };
}

/** The effective rights, with team names as the organization shows them. */
export function presentRights(action: StoredAction, teamNames: ReadonlyMap<string, string>): ActionPermissions {
  const show = (grant: ActionGrant) => ({
    ...presentLists(grant, teamNames),
    policy: grant.policy ?? null,
  });
  const execute = actionGrant(action, 'execute');
  return {
    execute: { ...show(execute), ownedByTeam: execute.ownedByTeam ?? false },
    approve: show(actionGrant(action, 'approve')),
  };
}

export function actionTeamReferences({ rights }: StoredAction): string[] {
  return [...(rights?.execute?.teams ?? []), ...(rights?.approve?.teams ?? [])];
}
