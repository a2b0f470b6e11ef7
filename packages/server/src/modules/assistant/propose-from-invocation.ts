import type { Actor } from '../../platform/actor.ts';
import { invalidRequest } from '../../platform/errors.ts';
import { outside } from '../../platform/text-authors.ts';
import type { AssistantDeps } from './assistant.deps.ts';
import { readPath } from './conversations/conversation.store.ts';
import { readShownInvocation } from './conversations/read-shown-invocation.ts';
import { readEventsAfter } from './event.store.ts';
import { collectToolCalls } from './read-evidence.ts';

/**
 * Proposes a workflow of the calls of an answer that has ended, for whoever may read that answer; answers the id of
 * the proposal, which is theirs.
 * @throws AppError `not_found`, `invalid_request`, and as proposing a workflow
 */
export async function proposeFromInvocation(deps: AssistantDeps, actor: Actor, id: string): Promise<string> {
  const { state, contentRemovedAt, prompt } = await readShownInvocation(deps, actor, id);
  const path = '{path}/invocation_identifier';
  if (state === 'running') throw invalidRequest([{ path, message: 'names an answer that goes on' }]);
  if (contentRemovedAt !== null) {
    throw invalidRequest([{ path, message: 'names an answer of which nothing is kept any more' }]);
  }
  const [turn] = await readPath(deps.database, actor.orgId, id, 1);
  const made = await deps.effects.proposeFromAnswer(actor, {
    invocation: id,
    question: prompt,
    // nobody knows what one read that did not get to its end
    authors: turn?.label ?? [outside],
    calls: collectToolCalls(await readEventsAfter(deps.database, actor.orgId, id, 0)),
  });
  return made.id;
}
