import { scopesCover } from '@portolan/contract/scopes';
import { type Actor, isAdmin } from '../../../platform/actor.ts';

/** Whether the actor could save a workflow, by rights and token. */
export function mayWrite(actor: Actor): boolean {
  return isAdmin(actor) && scopesCover(actor.scopes, 'create:actions') && scopesCover(actor.scopes, 'update:actions');
}
