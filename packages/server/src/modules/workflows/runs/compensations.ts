import type { Reader } from '../../../platform/db/database.ts';
import { findCompensation, hasCompensations, holdsCompensations } from '../definitions/compensations.ts';
import { createGraph } from '../definitions/graph.ts';
import type { StoredWorkflow, WorkflowNode } from '../definitions/workflow.ts';
import { findUndoable, hasOpenChildren, listStepsToCompensate } from './compensations.store.ts';
import { type Snapshot, versionOfRun } from './snapshot.ts';
import type { StoredWorkflowRun } from './workflow-run.ts';

/** What a run that has failed or is cancelled does next, before its end. */
export type NextCompensation =
  /** Runs of its steps have not ended: they are undone before what came before them. */
  | { readonly kind: 'waits' }
  /** `failed`: steps whose compensation failed. */
  | { readonly kind: 'none'; readonly failed: readonly string[] }
  | { readonly kind: 'step'; readonly node: WorkflowNode; readonly compensates: string }
  /** The step has none of its own, and steps inside it have. */
  | { readonly kind: 'children'; readonly node: WorkflowNode; readonly compensates: string };

/**
 * The last step that succeeded and is not undone yet. What a re-run took over stays: it is not what this run did. Which
 * are undone follows from the rows, so that nothing is undone twice.
 */
export async function nextCompensation(
  reader: Reader,
  orgId: string,
  run: StoredWorkflowRun,
  { definition }: StoredWorkflow,
): Promise<NextCompensation> {
  if (await hasOpenChildren(reader, orgId, run.id)) return { kind: 'waits' };
  const graph = createGraph(definition);
  const steps = await listStepsToCompensate(reader, orgId, run.compensates ?? run.id);
  for (const { id, node: name, result, isBegun } of steps) {
    const node = graph.node(name);
    if (!node || isBegun) continue;
    const by = result === 'SUCCESS' ? findCompensation(graph, node) : undefined;
    if (by) return { kind: 'step', node: by, compensates: id };
    if (holdsCompensations(node) && (await findUndoable(reader, orgId, id))) {
      return { kind: 'children', node, compensates: id };
    }
  }
  return { kind: 'none', failed: steps.flatMap(({ node, isFailed }) => (isFailed ? [node] : [])).reverse() };
}

/** Whether something that a run did may have to be undone if it went no further. */
export async function owesCompensation(reader: Reader, orgId: string, { run }: Snapshot): Promise<boolean> {
  const workflow = await versionOfRun(reader, orgId, run);
  if (!workflow || !hasCompensations(workflow.definition)) return false;
  const graph = createGraph(workflow.definition);
  const steps = await listStepsToCompensate(reader, orgId, run.compensates ?? run.id);
  return steps.some(({ node: name, result }) => {
    const node = graph.node(name);
    if (!node) return false;
    return result === 'SUCCESS' && findCompensation(graph, node) !== undefined ? true : holdsCompensations(node);
  });
}

/** What the end of a run says of compensations that failed. */
export function endOfCompensations(
  { message }: Pick<StoredWorkflowRun, 'message'>,
  failed: readonly string[],
): { readonly kind: 'end'; readonly result: 'SUCCESS' | 'FAILED'; readonly message?: string } {
  if (failed.length === 0) return { kind: 'end', result: 'SUCCESS' };
  const named = failed.map((each) => `"${each}"`).join(', ');
  const told = `Not undone, because its compensation failed: ${named}`;
  return { kind: 'end', result: 'FAILED', message: message === null ? told : `${message}. ${told}` };
}
