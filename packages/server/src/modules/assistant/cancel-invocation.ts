import type { Actor } from '../../platform/actor.ts';
import type { AssistantDeps } from './assistant.deps.ts';
import { findInvocation, type Invocation, markCancelled } from './invocation.store.ts';
import { cancelledError, type InvocationRunner } from './invocation-runner.ts';
import { readInvocation } from './read-invocation.ts';

/** How long the answer waits for the end; another replica notices the cancellation with its next heartbeat. */
const waitMs = 6_000;

/**
 * Cancels a readable invocation and waits for its end; its text so far is kept. An ended invocation stays as it is.
 * @throws AppError `not_found`
 */
export async function cancelInvocation(
  deps: AssistantDeps,
  runner: InvocationRunner,
  actor: Actor,
  id: string,
): Promise<Invocation> {
  const invocation = await readInvocation(deps, actor, id);
  if (invocation.state !== 'running') return invocation;
  await deps.unitOfWork(actor, ({ tx }) => markCancelled(tx, actor.orgId, id, actor.id));
  runner.abort(actor.orgId, id, cancelledError(actor.id));
  const patience = AbortSignal.timeout(waitMs);
  for await (const events of deps.events.read(actor.orgId, id, 0, patience)) {
    if (events.at(-1)?.event === 'done') break;
  }
  return (await findInvocation(deps.database, actor.orgId, id)) ?? invocation;
}
