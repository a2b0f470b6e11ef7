import { hasCompensations } from '../definitions/compensations.ts';
import { createGraph, isBranching } from '../definitions/graph.ts';
import { limits } from '../definitions/limits.ts';
import type { StoredWorkflow, WorkflowNode } from '../definitions/workflow.ts';
import type { NodeCall, NodeKind, NodeOutcome } from '../nodes/node-kind.ts';
import { beginChildren } from './begin-children.ts';
import {
  beginsToWait,
  begun,
  type Entering,
  endedAtOnce,
  entered,
  findDeadline,
  newNodeRun,
  withMessage,
} from './begin-node.ts';
import { commitTransition, type PlannedTransition, RunMoved } from './commit-transition.ts';
import { endOfCompensations, nextCompensation, owesCompensation, type RunEnding } from './compensations.ts';
import { countChildren } from './count-children.ts';
import { expireNode } from './expire-node.ts';
import { failedUnexpectedly } from './failed-unexpectedly.ts';
import { transition } from './machine.ts';
import { readEnd } from './read-outcome.ts';
import type { RunsDeps } from './runs.deps.ts';
import {
  callInJob,
  keepOutput,
  type RunReading,
  readForRun,
  readSnapshot,
  type Snapshot,
  toState,
} from './snapshot.ts';
import { isAbandoned, stopRun } from './stop-run.ts';
import { createTransitionBatch, type TransitionBatch } from './transition-batch.ts';
import { beginUndoing } from './undo-children.ts';

export interface Advancing {
  readonly orgId: string;
  readonly runId: string;
  readonly signal: AbortSignal;
  /** Whether what fails unexpectedly fails its node, instead of being tried again. */
  readonly isLastTry: boolean;
}

/** How often in a row a run may move on under the hands of whoever advances it. */
const movesMax = 20;

/** Takes a run as far as it goes without waiting; nothing to do is fine. */
export async function advanceRun(deps: RunsDeps, advancing: Advancing): Promise<void> {
  for (let moves = 0; ; moves += 1) {
    try {
      await walk(deps, advancing);
      return;
    } catch (error) {
      if (!(error instanceof RunMoved) || moves >= movesMax) throw error;
    }
  }
}

/** Takes step after step from what the planned ones leave; somebody else who moves the run on refuses the next commit. */
async function walk(deps: RunsDeps, advancing: Advancing): Promise<void> {
  const { orgId, runId, signal } = advancing;
  let at = await readSnapshot(deps.database, orgId, runId);
  const reading = at && (await readForRun(deps, orgId, at.run));
  if (!reading) return;
  const batch = createTransitionBatch(deps, reading.bookkeeper, advancing.isLastTry);
  try {
    while (at) {
      signal.throwIfAborted();
      at = await takeStep(deps, advancing, at, reading, batch);
      if (at) keepOutput(reading, at);
      if (batch.isFull()) await batch.commit();
    }
  } finally {
    // what was planned before something failed is done
    await batch.commit();
  }
}

/** Plans one transition and answers what it leaves; undefined if the run has nothing to do, or goes on elsewhere. */
export async function takeStep(
  deps: RunsDeps,
  advancing: Advancing,
  before: Snapshot,
  reading: RunReading,
  batch: TransitionBatch,
): Promise<Snapshot | undefined> {
  const { run, nodeRun } = before;
  const { workflow } = reading;
  if (run.status === 'COMPLETED') return undefined;
  if (run.deadlineAt <= deps.clock.now()) {
    const after = batch.add(before, await pastDeadline(deps, advancing.orgId, before));
    return after.run.status === 'COMPLETED' ? undefined : after;
  }
  // once for each batch: what is planned into one is committed together
  if (run.parentRun !== null && batch.isEmpty() && (await isAbandoned(deps, advancing.orgId, run))) {
    await stopRun(deps, reading.bookkeeper, run.id);
    return undefined;
  }
  if (nodeRun?.phase === 'WAIT_CHILD') {
    const counted = await countChildren(deps, before, reading, advancing.signal);
    return counted && ifEnded(batch.add(before, counted));
  }
  if (nodeRun && nodeRun.phase !== 'ENDED') {
    if (nodeRun.phase === 'DISPATCHING' || nodeRun.dueAt !== null) return undefined;
    const planned = await expireNode(deps, before, reading, advancing.signal);
    return planned && ifEnded(batch.add(before, planned));
  }
  const next = run.endsAs === null ? findNext(before, reading) : compensated;
  if (next.kind === 'end' || run.cancel !== null || !workflow) {
    const end = next.kind === 'end' ? next : ({ kind: 'end', result: 'FAILED' } as const);
    return finish(deps, advancing, before, reading, end, batch);
  }
  return enter(deps, advancing, before, { ...reading, workflow }, { node: next.node }, batch);
}

const compensated: RunEnding = { kind: 'end', result: 'SUCCESS' };

/** Ends the run, after what is left of its steps to compensate. */
async function finish(
  deps: RunsDeps,
  advancing: Advancing,
  before: Snapshot,
  reading: RunReading,
  end: RunEnding,
  batch: TransitionBatch,
): Promise<Snapshot | undefined> {
  const { run } = before;
  const { workflow } = reading;
  const { message } = end;
  const fails = run.endsAs !== null || run.cancel !== null || end.result === 'FAILED';
  if (!fails || !workflow || !hasCompensations(workflow.definition)) {
    batch.add(before, ending(before, end));
    return undefined;
  }
  // what is left to compensate is read from what is stored
  await batch.commit();
  const next = await nextCompensation(deps.database, advancing.orgId, run, workflow);
  switch (next.kind) {
    case 'waits':
      return undefined;
    case 'none':
      batch.add(before, ending(before, run.endsAs === null ? end : endOfCompensations(run, next.failed)));
      return undefined;
    case 'children': {
      const undoing = await beginUndoing(deps, before, next, advancing.orgId);
      batch.add(before, withMessage(undoing, message));
      return undefined;
    }
    case 'step':
      return enter(deps, advancing, before, { ...reading, workflow }, { ...next, message }, batch);
  }
}

function ifEnded(after: Snapshot): Snapshot | undefined {
  return after.nodeRun?.phase === 'ENDED' ? after : undefined;
}

/** What follows where the run stands. */
export function findNext(
  { run, nodeRun }: Snapshot,
  { workflow, failedSteps }: RunReading,
): RunEnding | { readonly kind: 'node'; readonly node: WorkflowNode } {
  if (!workflow) return { kind: 'end', result: 'FAILED', message: 'The version of the workflow is gone' };
  const graph = createGraph(workflow.definition);
  if (nodeRun?.endsRun) return { kind: 'end', result: nodeRun.endsRun };
  if (nodeRun && nodeRun.result !== 'SUCCESS' && !nodeRun.goesOn) {
    return {
      kind: 'end',
      result: 'FAILED',
      message: `The step "${nodeRun.node}" failed: ${nodeRun.message ?? 'no reason is known'}`,
    };
  }
  const from = nodeRun?.node ?? run.triggerNode;
  const left = graph.node(from);
  const branches = nodeRun !== null && left !== undefined && isBranching(left);
  const following = branches ? graph.next(from, nodeRun.outlet) : graph.next(from);
  const node = following === undefined ? undefined : graph.node(following);
  if (!node) {
    if (failedSteps === 0) return { kind: 'end', result: 'SUCCESS' };
    const message = failedSteps === 1 ? '1 step failed' : `${failedSteps} steps failed`;
    return { kind: 'end', result: 'SUCCESS', message };
  }
  if (run.steps >= limits.stepsPerRun) {
    return { kind: 'end', result: 'FAILED', message: `Stopped: a run takes at most ${limits.stepsPerRun} steps` };
  }
  return { kind: 'node', node };
}

function ending(before: Snapshot, { result, message, messageBefore }: RunEnding): PlannedTransition {
  const taken = transition(toState(before), { kind: 'advance', next: { kind: 'end', result } });
  if (taken.kind === 'refused') throw new RunMoved(before.run.id);
  const run =
    message === undefined || taken.row === 'run.cancelled' ? {} : { message, messageBefore: messageBefore ?? null };
  return { taken, run };
}

async function pastDeadline(deps: RunsDeps, orgId: string, before: Snapshot): Promise<PlannedTransition> {
  const owes = await owesCompensation(deps.database, orgId, before);
  const taken = transition(toState(before), { kind: 'deadline', owes });
  if (taken.kind === 'refused') throw new RunMoved(before.run.id);
  const message = `Stopped: it had not ended by ${before.run.deadlineAt.toISOString()}`;
  return { taken, run: { message }, nodeRun: { message }, log: [{ level: 'ERROR', message }] };
}

/** Begins a node, and carries it out if that is done here. */
async function enter(
  deps: RunsDeps,
  advancing: Advancing,
  before: Snapshot,
  reading: RunReading & { readonly workflow: StoredWorkflow },
  entering: Entering,
  batch: TransitionBatch,
): Promise<Snapshot | undefined> {
  const { node } = entering;
  const now = deps.clock.now();
  const run = { ...before.run, deadlineAt: findDeadline(before.run, entering, now) };
  const nodeRun = newNodeRun(before, entering, now);
  const kind = deps.kinds[node.config.type];
  if (kind?.effect === 'outside') {
    batch.add(before, begun(before, { ...nodeRun, tries: 1 }, { kind: 'calls' }, entering));
    return undefined;
  }
  if (!batch.carries(kind)) await batch.commit();
  const call = await callInJob(deps, reading, { run, nodeRun, node, signal: advancing.signal });
  if (kind?.effect === 'children' && !('problem' in call)) {
    const outcome = await beginChildren(deps, call, kind, advancing.isLastTry);
    if (outcome.kind === 'ended')
      return ifEnded(batch.add(before, await entered(deps, before, call, outcome, entering)));
    const waiting = begun(before, { ...nodeRun, ...outcome.nodeRun }, { kind: 'waits', for: 'child' }, entering);
    batch.add(before, { ...waiting, ...outcome.planned });
    return undefined;
  }
  const outcome: NodeOutcome | Snapshot =
    'problem' in call
      ? { kind: 'ended', result: 'FAILED', message: call.problem }
      : await carryOut(deps, advancing, kind, call, before, entering);
  if ('run' in outcome) return outcome;
  return ifEnded(
    batch.add(
      before,
      await entered(deps, before, 'problem' in call ? { run, nodeRun, node } : call, outcome, entering),
    ),
  );
}

/** Carries out a node that is not a call of others; what writes commits its end with what it writes, and answers that. */
async function carryOut(
  deps: RunsDeps,
  { isLastTry }: Advancing,
  kind: NodeKind | undefined,
  call: NodeCall,
  before: Snapshot,
  entering: Entering,
): Promise<NodeOutcome | Snapshot> {
  if (!kind) {
    const message = `Steps of type "${call.node.config.type}" are not supported here`;
    return { kind: 'ended', result: 'FAILED', message };
  }
  try {
    if (kind.effect === 'none') return await kind.plan(call);
    if (kind.effect !== 'ours') throw new Error('calls of others are dispatched, and children counted');
    let after: Snapshot | undefined;
    const outcome = await kind.carryOut(call, async (work, settled) => {
      if (settled.kind === 'again') throw new Error('a step that writes here is not tried again');
      const planned =
        settled.kind === 'waits'
          ? beginsToWait(before, call, settled, entering)
          : endedAtOnce(before, call.nodeRun, await readEnd(work.tx, call, settled), entering);
      after = await commitTransition(deps, work, before, { ...planned, goesOnHere: true });
    });
    if (outcome !== 'settled') return outcome;
    if (!after) throw new Error('a step that says it is settled has settled nothing');
    return after;
  } catch (error) {
    return failedUnexpectedly(deps, call, error, isLastTry);
  }
}
