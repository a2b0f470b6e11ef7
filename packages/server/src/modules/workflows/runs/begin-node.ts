import { newId } from '../../../platform/ids.ts';
import type { WorkflowNode } from '../definitions/workflow.ts';
import type { NodeCall, NodeOutcome } from '../nodes/node-kind.ts';
import { type PlannedTransition, RunMoved } from './commit-transition.ts';
import { compensationUntil } from './compensation-time.ts';
import { type Next, transition } from './machine.ts';
import { failedEnd, type ReadEnd, readEnd, readWait } from './read-outcome.ts';
import type { RunsDeps } from './runs.deps.ts';
import { type Snapshot, toState } from './snapshot.ts';
import type { StoredNodeRun, StoredWorkflowRun } from './workflow-run.ts';

/** A node that a run comes to. */
export interface Entering {
  readonly node: WorkflowNode;
  /** The node run that it undoes. */
  readonly compensates?: string;
  readonly attempt?: number;
  /** The idempotency key of its calls where it is not its own id. */
  readonly callKey?: string | undefined;
  /** Why the run does not go forward any more, where this is the first that is undone. */
  readonly message?: string | undefined;
}

/** Until when the run has to end, with the time that compensations have. */
export function findDeadline(run: StoredWorkflowRun, { compensates }: Entering, now: Date): Date {
  return compensates === undefined || run.endsAs !== null ? run.deadlineAt : compensationUntil(run, now);
}

/** What a step that ends or waits at once plans. */
export async function entered(
  deps: RunsDeps,
  before: Snapshot,
  step: NodeCall | Pick<NodeCall, 'run' | 'nodeRun' | 'node'>,
  outcome: NodeOutcome,
  entering: Entering,
): Promise<PlannedTransition> {
  if (outcome.kind === 'waits') return beginsToWait(before, step, outcome, entering);
  const ended =
    outcome.kind === 'ended' ? outcome : ({ kind: 'ended', result: 'FAILED', message: outcome.message } as const);
  const read = 'actor' in step ? await readEnd(deps.database, step, ended) : failedEnd(step, ended);
  return endedAtOnce(before, step.nodeRun, read, entering);
}

export function beginsToWait(
  before: Snapshot,
  step: Pick<NodeCall, 'run' | 'nodeRun' | 'node'>,
  outcome: Extract<NodeOutcome, { kind: 'waits' }>,
  entering: Entering,
): PlannedTransition {
  const { nodeRun, log } = readWait(step, outcome);
  return { ...begun(before, { ...step.nodeRun, ...nodeRun }, { kind: 'waits', for: outcome.for }, entering), log };
}

export function endedAtOnce(
  before: Snapshot,
  begins: StoredNodeRun,
  read: ReadEnd,
  entering: Entering,
): PlannedTransition {
  const { result, outlet, nodeRun, run, log } = read;
  const planned = begun(before, { ...begins, ...nodeRun }, { kind: 'ended', result, outlet }, entering);
  return { ...planned, run: { ...planned.run, ...run }, log };
}

export function begun(
  before: Snapshot,
  nodeRun: StoredNodeRun,
  begins: Exclude<Next, { kind: 'end' }>['begins'],
  { message }: Pick<Entering, 'message'>,
): PlannedTransition {
  const kind = nodeRun.compensates === null ? 'node' : 'compensation';
  const taken = transition(toState(before), { kind: 'advance', next: { kind, id: nodeRun.id, begins } });
  if (taken.kind === 'refused') throw new RunMoved(before.run.id);
  return withMessage({ taken, nodeRun, run: { steps: before.run.steps + 1 } }, message);
}

export function withMessage(planned: PlannedTransition, message: string | undefined): PlannedTransition {
  return message === undefined ? planned : { ...planned, run: { ...planned.run, message } };
}

/** A node run that has not begun. */
export function newNodeRun(
  { run }: Pick<Snapshot, 'run'>,
  { node, compensates, attempt = 1, callKey }: Entering,
  now: Date,
): StoredNodeRun {
  return {
    id: newId('wfnr_'),
    runId: run.id,
    step: run.steps + 1,
    node: node.identifier,
    attempt,
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
    compensates: compensates ?? null,
    isRepeated: false,
    callKey: callKey ?? null,
    createdAt: now,
    startedAt: now,
    endedAt: null,
  };
}
