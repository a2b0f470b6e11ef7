import type { Actor } from '../../../platform/actor.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import type { AssistantDeps } from '../assistant.deps.ts';
import { findInvocation, type Invocation } from '../invocation.store.ts';
import { readInvocation } from '../read-invocation.ts';
import { readPath } from './conversation.store.ts';
import { seeTurns } from './see-turns.ts';

/**
 * An invocation that the caller may read, or a turn that is shared with them and hides nothing from them.
 * @throws AppError `not_found`, the same for all others
 */
export async function readShownInvocation(deps: AssistantDeps, actor: Actor, id: string): Promise<Invocation> {
  try {
    return await readInvocation(deps, actor, id);
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    const found = await findInvocation(deps.database, actor.orgId, id);
    if (!found?.conversationId) throw notFound('Invocation', id);
    const [turn] = await seeTurns(deps, actor, await readPath(deps.database, actor.orgId, id, 1));
    if (!turn || turn.isGone || turn.isHidden) throw notFound('Invocation', id);
    return found;
  }
}
