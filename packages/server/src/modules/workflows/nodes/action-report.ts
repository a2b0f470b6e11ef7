import { findActionRun, isFinalStatus, presentRun, type StoredRun } from '../../actions/index.ts';
import type { StoredRecord } from '../../journal/index.ts';
import type { NodeCall } from './node-kind.ts';
import type { NodeRunReport } from './node-run.ports.ts';
import type { NodesDeps } from './nodes.deps.ts';

/** What the end of an action's run is for the step that waits for it; undefined while it has not ended. */
export async function reportOfAction(
  { database }: Pick<NodesDeps, 'database'>,
  { actor, nodeRun }: NodeCall,
  record?: StoredRecord,
): Promise<NodeRunReport | undefined> {
  const id = record?.identifier ?? nodeRun.externalRunId;
  const run = id ? await findActionRun(database, actor.orgId, id) : undefined;
  if (!run) return failure('The run of the action is gone', {});
  if (!isFinalStatus(run.status)) return undefined;
  const output = { run: shown(run) };
  if (run.status === 'SUCCESS') return { status: 'COMPLETED', result: 'SUCCESS', output };
  const said = run.statusLabel === null ? '' : `: ${run.statusLabel}`;
  const how = run.status === 'DECLINED' ? 'was declined' : 'failed';
  return failure(`The run ${run.id} of the action "${run.actionIdentifier}" ${how}${said}`, output);
}

function failure(message: string, output: object): NodeRunReport {
  return { status: 'COMPLETED', result: 'FAILED', output: { ...output, error: { message } } };
}

/** The run without what was sent, and by whose authority. */
function shown(run: StoredRun): object {
  const {
    payload: _payload,
    authority: _authority,
    decision: _decision,
    draft: _draft,
    ...rest
  } = presentRun(run, 'v2');
  return rest;
}
