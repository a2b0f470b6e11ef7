import type { Work } from '../../../platform/unit-of-work.ts';
import { hashInputs } from '../../actions/index.ts';
import { assertNotPaused } from '../definitions/pause-triggers.ts';
import type { StoredWorkflow } from '../definitions/workflow.ts';
import { newWorkflowRun, storeNewRun } from '../runs/new-run.ts';
import { closeDraft } from './asked-run.store.ts';
import type { AskedRun } from './asked-run.ts';

/** What a decision binds: exactly this workflow and version, this form, these inputs and this requester. */
export function hashOfStart(
  { id, version }: Pick<StoredWorkflow, 'id' | 'version'>,
  asked: Pick<AskedRun, 'triggerNode' | 'inputs' | 'createdBy'>,
): string {
  return hashInputs({
    action: id,
    actionVersion: String(version),
    properties: asked.inputs,
    blueprint: null,
    entity: asked.triggerNode,
    requester: asked.createdBy,
  });
}

/**
 * Begins a run that was asked for, under the id that it was asked for with.
 * @throws AppError `trigger_paused`
 */
export async function beginAskedRun(work: Work, workflow: StoredWorkflow, asked: AskedRun): Promise<void> {
  const { id, inputs, triggerNode, depth, causedBy, textAuthors, createdBy, createdByKind, requestedWith } = asked;
  await assertNotPaused(work.tx, work.actor.orgId, workflow.key, triggerNode);
  const run = newWorkflowRun(workflow, {
    id,
    triggerNode,
    trigger: inputs,
    now: work.now,
    depth,
    causedBy,
    textAuthors,
    createdBy,
    createdByKind,
    requestedWith,
  });
  if (!(await storeNewRun(work, run))) throw new Error(`The run ${id} is there already`);
}

/** Records a draft as it is made, or what was decided on it. */
export function recordDraft(work: Work, asked: AskedRun, isNew: boolean): void {
  work.record({
    event: isNew ? 'workflow-run.created' : 'workflow-run.updated',
    action: isNew ? 'CREATE' : 'UPDATE',
    resourceType: 'workflowRun',
    identifier: asked.id,
    context: { runId: asked.id, workflow: asked.workflowIdentifier },
    ...(isNew ? {} : { before: described({ ...asked, state: 'DRAFT', decidedBy: null }) }),
    after: described(asked),
  });
}

function described({ workflowIdentifier, version, state, draft, createdBy, decidedBy }: AskedRun) {
  return {
    workflow: workflowIdentifier,
    version,
    status: state,
    result: null,
    createdBy,
    ...(draft ? { inputsHash: draft.inputsHash } : {}),
    ...(decidedBy === null ? {} : { decidedBy }),
  };
}

/** Ends a locked draft that nobody will approve any more. */
export async function declineDraft(
  work: Work,
  asked: AskedRun,
  { by, comment }: { readonly by: string; readonly comment: string | null },
): Promise<AskedRun> {
  const declined: AskedRun = { ...asked, state: 'DECLINED', decidedAt: work.now, decidedBy: by, comment };
  await closeDraft(work.tx, work.actor.orgId, asked.id, declined);
  recordDraft(work, declined, false);
  return declined;
}
