import type { Reader } from '../../../platform/db/database.ts';
import { findCompensation, hasCompensations, holdsCompensations } from '../definitions/compensations.ts';
import { createGraph } from '../definitions/graph.ts';
import type { StoredWorkflow, WorkflowNode } from '../definitions/workflow.ts';
import { findFailedAttempt, findUndoable, hasOpenChildren, listStepsToCompensate } from './compensations.store.ts';
import { type Snapshot, versionOfRun } from './snapshot.ts';
import type { StoredWorkflowRun } from './workflow-run.ts';

/** What a run that has failed or is cancelled does next, before its end. */
export type NextCompensation =
  /** Runs of its steps have not ended: they are undone before what came before them. */
  | { readonly kind: 'waits' }
  /** `failed`: steps whose compensation failed. */
  | { readonly kind: 'none'; readonly failed: readonly string[] }
  | ({ readonly kind: 'step' } & Attempt)
  /** The step has none of its own, and steps inside it have. */
  | ({ readonly kind: 'children' } & Attempt);

interface Attempt {
  readonly node: WorkflowNode;
  readonly compensates: string;
  readonly attempt: number;
  /** Of an attempt before, whose effect may have happened. */
  readonly callKey: string | undefined;
}

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
  for (const { id, node: name, result, isBegun, isTakenOver } of steps) {
    const node = graph.node(name);
    if (!node || isBegun || isTakenOver) continue;
    const by = result === 'SUCCESS' ? findCompensation(graph, node) : undefined;
    if (by) return { kind: 'step', node: by, compensates: id, ...(await nextAttempt(reader, orgId, id, 1)) };
    if (holdsCompensations(node) && (await findUndoable(reader, orgId, id))) {
      // the first attempt of such a step went forward
      return { kind: 'children', node, compensates: id, ...(await nextAttempt(reader, orgId, id, 2)) };
    }
  }
  return { kind: 'none', failed: steps.flatMap(({ node, isFailed }) => (isFailed ? [node] : [])).reverse() };
}

/** Refusals after which a receiver may have acted all the same, or may be acting. */
const unclear: ReadonlySet<number> = new Set([408, 409, 425, 429]);
/** What a model was asked is known here, and asked anew. */
const known: ReadonlySet<string> = new Set(['AI', 'AI_AGENT']);

async function nextAttempt(
  reader: Reader,
  orgId: string,
  compensates: string,
  first: number,
): Promise<Pick<Attempt, 'attempt' | 'callKey'>> {
  const before = await findFailedAttempt(reader, orgId, compensates);
  return before ? { attempt: before.attempt + 1, callKey: keptKey(before) } : { attempt: first, callKey: undefined };
}

/**
 * The idempotency key with which a step is undone again: that of the attempt before, unless nothing came of it for sure,
 * so that a receiver which remembers its answers gives another one.
 */
function keptKey(before: NonNullable<Awaited<ReturnType<typeof findFailedAttempt>>>): string | undefined {
  if (before.callKey !== null) return before.callKey;
  if (known.has(before.type) || before.tries === 0) return undefined;
  const { status } = before;
  const isRefused = before.tries === 1 && status !== null && status >= 400 && status < 500 && !unclear.has(status);
  return isRefused || before.isReported ? undefined : before.id;
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

/** How a run is to end. */
export interface RunEnding {
  readonly kind: 'end';
  readonly result: 'SUCCESS' | 'FAILED';
  readonly message?: string;
  /** Kept where the message names compensations that failed. */
  readonly messageBefore?: StoredWorkflowRun['messageBefore'];
}

/** What the end of a run says of compensations that failed. */
export function endOfCompensations(
  { message }: Pick<StoredWorkflowRun, 'message'>,
  failed: readonly string[],
): RunEnding {
  if (failed.length === 0) return { kind: 'end', result: 'SUCCESS' };
  const named = failed.map((each) => `"${each}"`).join(', ');
  const told = `Not undone, because its compensation failed: ${named}`;
  const whole = message === null ? told : `${message}. ${told}`;
  return { kind: 'end', result: 'FAILED', message: whole, messageBefore: { message } };
}
