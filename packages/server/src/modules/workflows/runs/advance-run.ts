import { newId } from '../../../platform/ids.ts';
import { createGraph, isBranching } from '../definitions/graph.ts';
import { limits } from '../definitions/limits.ts';
import type { StoredWorkflow, WorkflowNode } from '../definitions/workflow.ts';
import type { NodeCall, NodeKind, NodeOutcome } from '../nodes/node-kind.ts';
import { beginChildren } from './begin-children.ts';
import { isAbandoned } from './child-runs.store.ts';
import { commitTransition, type PlannedTransition, RunMoved } from './commit-transition.ts';
import { countChildren } from './count-children.ts';
import { expireNode } from './expire-node.ts';
import { failedUnexpectedly } from './failed-unexpectedly.ts';
import { type Next, transition } from './machine.ts';
import { failedEnd, type ReadEnd, readEnd, readWait } from './read-outcome.ts';
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
import { stopRun } from './stop-run.ts';
import { createTransitionBatch, type TransitionBatch } from './transition-batch.ts';
import type { StoredNodeRun } from './workflow-run.ts';

interface Advancing {
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
  const batch = createTransitionBatch(deps, reading.bookkeeper);
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
async function takeStep(
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
    batch.add(before, pastDeadline(before));
    return undefined;
  }
  if (run.parentRun !== null && (await isAbandoned(deps.database, advancing.orgId, run.id))) {
    await batch.commit();
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
  const next = findNext(before, reading);
  if (next.kind === 'end' || run.cancel !== null || !workflow) {
    batch.add(before, ending(before, next.kind === 'end' ? next : { kind: 'end', result: 'FAILED' }));
    return undefined;
  }
  return enter(deps, advancing, before, { ...reading, workflow }, next.node, batch);
}

function ifEnded(after: Snapshot): Snapshot | undefined {
  return after.nodeRun?.phase === 'ENDED' ? after : undefined;
}

interface End {
  readonly kind: 'end';
  readonly result: 'SUCCESS' | 'FAILED';
  readonly message?: string;
}

/** What follows where the run stands. */
function findNext(
  { run, nodeRun }: Snapshot,
  { workflow, failedSteps }: RunReading,
): End | { readonly kind: 'node'; readonly node: WorkflowNode } {
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

function ending(before: Snapshot, { result, message }: End): PlannedTransition {
  const taken = transition(toState(before), { kind: 'advance', next: { kind: 'end', result } });
  if (taken.kind === 'refused') throw new RunMoved(before.run.id);
  const run = message === undefined || taken.row === 'run.cancelled' ? {} : { message };
  return { taken, run };
}

function pastDeadline(before: Snapshot): PlannedTransition {
  const taken = transition(toState(before), { kind: 'deadline' });
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
  node: WorkflowNode,
  batch: TransitionBatch,
): Promise<Snapshot | undefined> {
  const { run } = before;
  const nodeRun = newNodeRun(before, node, deps.clock.now());
  const kind = deps.kinds[node.config.type];
  if (kind?.effect === 'outside') {
    batch.add(before, begun(before, { ...nodeRun, tries: 1 }, { kind: 'calls' }));
    return undefined;
  }
  // what writes commits by itself, after what was planned before it
  if (kind?.effect === 'ours' || kind?.effect === 'children') await batch.commit();
  const call = await callInJob(deps, reading, { run, nodeRun, node, signal: advancing.signal });
  if (kind?.effect === 'children' && !('problem' in call)) {
    const outcome = await beginChildren(deps, call, kind, advancing.isLastTry);
    if (outcome.kind === 'ended') return ifEnded(batch.add(before, await entered(deps, before, call, outcome)));
    const waiting = begun(before, { ...nodeRun, ...outcome.nodeRun }, { kind: 'waits', for: 'child' });
    batch.add(before, { ...waiting, ...outcome.planned });
    return undefined;
  }
  const outcome: NodeOutcome | Snapshot =
    'problem' in call
      ? { kind: 'ended', result: 'FAILED', message: call.problem }
      : await carryOut(deps, advancing, kind, call, before);
  if ('run' in outcome) return outcome;
  return ifEnded(
    batch.add(before, await entered(deps, before, 'problem' in call ? { run, nodeRun, node } : call, outcome)),
  );
}

async function entered(
  deps: RunsDeps,
  before: Snapshot,
  step: NodeCall | Pick<NodeCall, 'run' | 'nodeRun' | 'node'>,
  outcome: NodeOutcome,
): Promise<PlannedTransition> {
  if (outcome.kind === 'waits') return beginsToWait(before, step, outcome);
  const ended =
    outcome.kind === 'ended' ? outcome : ({ kind: 'ended', result: 'FAILED', message: outcome.message } as const);
  const read = 'actor' in step ? await readEnd(deps.database, step, ended) : failedEnd(step, ended);
  return endedAtOnce(before, step.nodeRun, read);
}

function beginsToWait(
  before: Snapshot,
  step: Pick<NodeCall, 'run' | 'nodeRun' | 'node'>,
  outcome: Extract<NodeOutcome, { kind: 'waits' }>,
): PlannedTransition {
  const { nodeRun, log } = readWait(step, outcome);
  return { ...begun(before, { ...step.nodeRun, ...nodeRun }, { kind: 'waits', for: outcome.for }), log };
}

function endedAtOnce(before: Snapshot, entering: StoredNodeRun, read: ReadEnd): PlannedTransition {
  const { result, outlet, nodeRun, run, log } = read;
  const planned = begun(before, { ...entering, ...nodeRun }, { kind: 'ended', result, outlet });
  return { ...planned, run: { ...planned.run, ...run }, log };
}

function begun(
  before: Snapshot,
  nodeRun: StoredNodeRun,
  begins: Extract<Next, { kind: 'node' }>['begins'],
): PlannedTransition {
  const taken = transition(toState(before), { kind: 'advance', next: { kind: 'node', id: nodeRun.id, begins } });
  if (taken.kind === 'refused') throw new RunMoved(before.run.id);
  return { taken, nodeRun, run: { steps: before.run.steps + 1 } };
}

/** Carries out a node that is not a call of others; what writes commits its end with what it writes, and answers that. */
async function carryOut(
  deps: RunsDeps,
  { isLastTry }: Advancing,
  kind: NodeKind | undefined,
  call: NodeCall,
  before: Snapshot,
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
          ? beginsToWait(before, call, settled)
          : endedAtOnce(before, call.nodeRun, await readEnd(work.tx, call, settled));
      after = await commitTransition(deps, work, before, { ...planned, goesOnHere: true });
    });
    if (outcome !== 'settled') return outcome;
    if (!after) throw new Error('a step that says it is settled has settled nothing');
    return after;
  } catch (error) {
    return failedUnexpectedly(deps, call, error, isLastTry);
  }
}

function newNodeRun({ run }: Snapshot, node: WorkflowNode, now: Date): StoredNodeRun {
  return {
    id: newId('wfnr_'),
    runId: run.id,
    step: run.steps + 1,
    node: node.identifier,
    attempt: 1,
    type: node.config.type,
    phase: 'READY',
    result: null,
    outlet: null,
    goesOn: false,
    endsRun: null,
    statusLabel: null,
    message: null,
    raw: null,
    output: null,
    input: null,
    links: [],
    tries: 0,
    installationId: null,
    claimedUntil: null,
    acknowledgedAt: null,
    externalRunId: null,
    dueAt: null,
    responders: null,
    copiedFrom: null,
    createdAt: now,
    startedAt: now,
    endedAt: null,
  };
}
