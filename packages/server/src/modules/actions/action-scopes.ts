import { scopesCover } from '@portolan/contract/scopes';
import type { Actor } from '../../platform/actor.ts';
import type { Reader } from '../../platform/db/database.ts';
import { listActionRows } from './action.store.ts';
import { isSelfService } from './action.ts';
import { actionGrant, isGranted } from './action-rights.ts';

/**
 * Actions that the caller may run (api contract §3.7.2): `execute:actions:<id>`, or
 * `execute:team_entities:actions:<id>` if only on entities of their teams. Uses the lists only; a policy is evaluated
 * when the action runs.
 */
export async function actionScopes(reader: Reader, actor: Actor): Promise<string[]> {
  if (!scopesCover(actor.scopes, 'execute:actions')) return [];
  const actions = (await listActionRows(reader, actor.orgId)).filter(isSelfService);
  return actions.flatMap((action) => {
    if (isGranted(actor, action, 'execute')) return [`execute:actions:${action.identifier}`];
    const isOnOwn = (actionGrant(action, 'execute').ownedByTeam ?? false) && actor.teamKeys.length > 0;
    return isOnOwn ? [`execute:team_entities:actions:${action.identifier}`] : [];
  });
}
