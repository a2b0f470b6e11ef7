import type { Actor } from '../../../platform/actor.ts';
import { limitTo } from '../../../platform/authority.ts';
import { findActor } from '../../accounts/index.ts';
import type { NodeCall } from './node-kind.ts';
import type { NodesDeps } from './nodes.deps.ts';

/**
 * The actor with which a step asks an assistant: the person who started the run by its form, limited to what they
 * started it with; for events and schedules, whoever saved the workflow. Undefined if they are gone.
 */
export async function findAskingActor(
  { database }: Pick<NodesDeps, 'database'>,
  caller: Actor,
  { run, workflow }: NodeCall,
): Promise<Actor | undefined> {
  const { orgId, origin, depth, runId } = caller;
  const marks = { origin, ...(depth === undefined ? {} : { depth }), ...(runId === undefined ? {} : { runId }) };
  const trigger = workflow.definition.nodes.find(({ identifier }) => identifier === run.triggerNode);
  if (trigger?.config.type === 'SELF_SERVE_TRIGGER') {
    const asker = await findActor(database, orgId, { kind: run.createdByKind, id: run.createdBy });
    return asker && { ...(run.requestedWith ? limitTo(asker, run.requestedWith) : asker), ...marks };
  }
  const by = caller.standsBehind;
  if (by === undefined || by.kind === 'system') return caller;
  const saver = await findActor(database, orgId, by);
  return saver && { ...limitTo(saver, caller), ...marks };
}
