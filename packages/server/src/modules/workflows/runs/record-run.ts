import type { Work } from '../../../platform/unit-of-work.ts';
import type { Snapshot } from './snapshot.ts';
import type { StoredWorkflowRun } from './workflow-run.ts';

/** Records a transition, or the start of a run, for the audit log and for those who watch. */
export function recordRun(work: Work, before: Snapshot | undefined, after: Snapshot): void {
  const { run } = after;
  work.record({
    event: before ? 'workflow-run.updated' : 'workflow-run.created',
    action: before ? 'UPDATE' : 'CREATE',
    resourceType: 'workflowRun',
    identifier: run.id,
    context: { runId: run.id, workflow: run.workflowIdentifier },
    ...(before ? { before: described(before) } : {}),
    after: described(after),
  });
}

function described({ run, nodeRun }: Snapshot) {
  return {
    ...facts(run),
    node: nodeRun && { identifier: nodeRun.node, nodeRun: nodeRun.id, phase: nodeRun.phase, result: nodeRun.result },
  };
}

function facts({
  workflowIdentifier,
  version,
  status,
  result,
  message,
  cancel,
  createdBy,
  rerunOf,
  body,
  endsAs,
  repeatedBy,
}: StoredWorkflowRun) {
  const again = rerunOf === null ? {} : { rerunOf };
  // the end of a part is not the end of a run of the workflow
  const part = body === null ? {} : { isPart: true };
  const back = endsAs === null ? {} : { endsAs };
  // nor is it the end of a run that had ended before
  const repeated = repeatedBy === null ? {} : { repeatedBy };
  return {
    workflow: workflowIdentifier,
    version,
    status,
    result,
    message,
    cancel,
    createdBy,
    ...again,
    ...part,
    ...back,
    ...repeated,
  };
}
