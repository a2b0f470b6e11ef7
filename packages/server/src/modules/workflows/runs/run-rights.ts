import { type Actor, isAdmin } from '../../../platform/actor.ts';
import type { Reader } from '../../../platform/db/database.ts';
import { findVersion } from '../definitions/workflow.store.ts';
import { findNodeRun } from './node-run.store.ts';
import { mayRespond } from './responders.ts';
import type { StoredWorkflowRun } from './workflow-run.ts';

/**
 * Administrators, machines of the organization, whoever started it and whoever may answer its form now see a run;
 * everybody does where the workflow says so.
 */
export async function maySeeRun(reader: Reader, actor: Actor, run: StoredWorkflowRun): Promise<boolean> {
  if (isAdmin(actor) || isStarter(actor, run)) return true;
  if (actor.kind === 'machine' && actor.userId === undefined && actor.boundTo === undefined) return true;
  const version = await findVersion(reader, actor.orgId, run.workflowKey, run.version);
  if (version?.definition.allowAnyoneToViewRuns) return true;
  return isResponder(reader, actor, run);
}

async function isResponder(reader: Reader, actor: Actor, run: StoredWorkflowRun): Promise<boolean> {
  if (run.status === 'COMPLETED' || run.atNodeRun === null) return false;
  const nodeRun = await findNodeRun(reader, actor.orgId, run.atNodeRun);
  return nodeRun !== undefined && (await mayRespond(reader, actor, nodeRun));
}

function isStarter(actor: Actor, { createdBy, impersonatedBy }: StoredWorkflowRun): boolean {
  return createdBy === actor.id || (impersonatedBy !== null && impersonatedBy === actor.id);
}

/** Whoever started a run, and administrators. */
export function mayCancelRun(actor: Actor, run: StoredWorkflowRun): boolean {
  return run.status !== 'COMPLETED' && (isAdmin(actor) || isStarter(actor, run));
}
