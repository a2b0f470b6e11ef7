import type { NodeCall, NodeOutcome } from '../nodes/node-kind.ts';
import { describeFailure, lasts } from './lasting-failure.ts';
import type { RunsDeps } from './runs.deps.ts';

/**
 * What nobody foresaw is tried again at first; in the end it fails the node, so that no run stands still for ever. A
 * refusal fails it at once.
 */
export function failedUnexpectedly(
  deps: RunsDeps,
  { run, nodeRun, signal }: NodeCall,
  error: unknown,
  isLastTry: boolean,
): Extract<NodeOutcome, { kind: 'ended' }> {
  if (!lasts(error, { isLastTry, signal })) throw error;
  deps.log.warn({ error, workflowRun: run.id, nodeRun: nodeRun.id }, 'a step of a workflow failed unexpectedly');
  const failure = describeFailure(error);
  return { kind: 'ended', result: 'FAILED', message: failure.message, raw: { error: failure } };
}
