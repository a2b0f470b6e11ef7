import { waitsForDatabase } from '../../../platform/db/passing-failure.ts';
import { Postponed } from '../../../platform/jobs/job.ts';
import type { NodeCall, NodeOutcome } from '../nodes/node-kind.ts';
import { RunMoved } from './run-moved.ts';
import type { RunsDeps } from './runs.deps.ts';

/** What nobody foresaw is tried again at first; in the end it fails the node, so that no run stands still for ever. */
export function failedUnexpectedly(
  deps: RunsDeps,
  { run, nodeRun, signal }: NodeCall,
  error: unknown,
  isLastTry: boolean,
): Extract<NodeOutcome, { kind: 'ended' }> {
  const isPassing = error instanceof RunMoved || error instanceof Postponed || waitsForDatabase(error);
  if (isPassing || signal.aborted || !isLastTry) throw error;
  deps.log.warn({ error, workflowRun: run.id, nodeRun: nodeRun.id }, 'a step of a workflow failed unexpectedly');
  return { kind: 'ended', result: 'FAILED', message: 'Something failed inside Portolan; its log says what' };
}
