import { scopesCover } from '@portolan/contract';
import type { Actor } from '../../platform/actor.ts';
import type { Reader } from '../../platform/db/database.ts';
import { listActionRows } from './action.store.ts';
import { isSelfService } from './action.ts';
import { grantOf, isGranted } from './action-rights.ts';

/**
 * The actions the caller may run (api contract §3.7.2): `execute:actions:<id>`, or `execute:team_entities:actions:<id>`
 * where it is on what their teams own alone. A policy is asked when it comes to a run; until then the lists say.
 */
export async function actionScopes(reader: Reader, actor: Actor): Promise<string[]> {
  if (!scopesCover(actor.scopes, 'execute:actions')) return [];
  const actions = (await listActionRows(reader, actor.orgId)).filter(isSelfService);
  return actions.flatMap((action) => {
    if (isGranted(actor, action, 'execute')) return [`execute:actions:${action.identifier}`];
    const isOnOwn = (grantOf(action, 'execute').ownedByTeam ?? false) && actor.teamKeys.length > 0;
    return isOnOwn ? [`execute:team_entities:actions:${action.identifier}`] : [];
  });
}
