import type { StoredNodeRun, StoredWorkflowRun } from './workflow-run.ts';

/** Compensations of a run that failed and that no other attempt followed, in the order in which they were tried. */
export function failedCompensations(run: StoredWorkflowRun, nodeRuns: readonly StoredNodeRun[]): StoredNodeRun[] {
  if (run.status !== 'COMPLETED' || run.endsAs === null || run.cancel === 'force' || run.compensates !== null)
    return [];
  return nodeRuns.filter(
    ({ compensates, isRepeated, phase, result }) =>
      compensates !== null && !isRepeated && phase === 'ENDED' && result !== 'SUCCESS',
  );
}
