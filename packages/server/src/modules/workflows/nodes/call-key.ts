import type { StoredNodeRun } from '../runs/workflow-run.ts';

/** The idempotency key of every call of a node run: its id, or that of the attempt that it repeats. */
export function callKeyFor({ id, callKey }: Pick<StoredNodeRun, 'id' | 'callKey'>): string {
  return callKey ?? id;
}
