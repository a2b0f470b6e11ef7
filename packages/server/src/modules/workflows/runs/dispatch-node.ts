import type { Actor } from '../../../platform/actor.ts';
import { Postponed } from '../../../platform/jobs/job.ts';
import { createGraph } from '../definitions/graph.ts';
import type { NodeCall, NodeOutcome } from '../nodes/node-kind.ts';
import { beginCall, forgetCall } from '../nodes/node-run.store.ts';
import { readRetryRule } from '../nodes/retry-rule.ts';
import { type PlannedTransition, planAndCommit } from './commit-transition.ts';
import { withEnd } from './expire-node.ts';
import { failedUnexpectedly } from './failed-unexpectedly.ts';
import { type Stimulus, transition } from './machine.ts';
import { failedEnd, readEnd, readWait } from './read-outcome.ts';
import type { RunsDeps } from './runs.deps.ts';
import { bookkeeper, buildCall, readSnapshotAt, type Snapshot, toState, versionOfRun } from './snapshot.ts';
import { isAbandoned, stopRun } from './stop-run.ts';
import type { StoredWorkflowRun } from './workflow-run.ts';

interface Dispatching {
  readonly orgId: string;
  readonly nodeRunId: string;
  readonly signal: AbortSignal;
  /** Whether what fails unexpectedly fails the node, instead of being tried again. */
  readonly isLastTry: boolean;
}

/**
 * Makes the call of a node run and stores what came of it. The run is looked at right before the call, so that none
 * begins after a cancellation; a call in flight then is stored as far as the run still takes it.
 */
export async function dispatchNode(deps: RunsDeps, dispatching: Dispatching): Promise<void> {
  const { orgId, nodeRunId, signal, isLastTry } = dispatching;
  const snapshot = await readSnapshotAt(deps.database, orgId, nodeRunId);
  if (!snapshot || !isInFlight(snapshot, nodeRunId)) return;
  const { run, nodeRun } = snapshot;
  const actor = await bookkeeper(deps.database, orgId, run);
  const workflow = await versionOfRun(deps.database, orgId, run);
  const node = workflow && createGraph(workflow.definition).node(nodeRun.node);
  if (!actor) return;
  const settle = (call: StepCall, outcome: NodeOutcome | { readonly kind: 'not-called' }) =>
    planAndCommit(deps, actor, async () => {
      const before = await readSnapshotAt(deps.database, orgId, nodeRunId);
      return before && planSettlement(deps, before, call, outcome);
    });
  if (!workflow || !node) {
    const gone = { identifier: nodeRun.node, config: { type: 'STOP' } } as const;
    await settle({ run, nodeRun, node: gone }, { kind: 'ended', result: 'FAILED', message: 'The version is gone' });
    return;
  }
  const isStopping = run.cancel !== null && run.endsAs === null;
  if (isStopping || (await isGivenUp(deps, actor, run))) {
    await settle({ run, nodeRun, node }, { kind: 'not-called' });
    return;
  }
  const call = await buildCall(deps, { orgId, run, nodeRun, workflow, node, signal });
  if ('problem' in call) {
    await settle({ run, nodeRun, node }, { kind: 'ended', result: 'FAILED', message: call.problem });
    return;
  }
  await settle(call, await send(deps, call, isLastTry));
}

/** Whether nobody above the run waits for it; it is being cancelled then. */
async function isGivenUp(deps: RunsDeps, actor: Actor, run: StoredWorkflowRun): Promise<boolean> {
  if (run.parentRun === null || !(await isAbandoned(deps, actor.orgId, run))) return false;
  await stopRun(deps, actor, run.id);
  return true;
}

type StepCall = NodeCall | Pick<NodeCall, 'run' | 'nodeRun' | 'node'>;

function isInFlight(
  snapshot: Snapshot,
  nodeRunId: string,
): snapshot is Snapshot & { nodeRun: NonNullable<Snapshot['nodeRun']> } {
  const { run, nodeRun } = snapshot;
  return run.status !== 'COMPLETED' && nodeRun?.id === nodeRunId && nodeRun.phase === 'DISPATCHING';
}

async function send(deps: RunsDeps, call: NodeCall, isLastTry: boolean): Promise<NodeOutcome> {
  const kind = deps.kinds[call.node.config.type];
  if (kind?.effect !== 'outside') {
    const message = `Steps of type "${call.node.config.type}" are not supported here`;
    return { kind: 'ended', result: 'FAILED', message };
  }
  const once = readRetryRule(call).failsOnUnknown;
  if (once && !(await begin(deps, call))) return cutOff;
  try {
    return await kind.send(call);
  } catch (error) {
    // it waits for a place of its receiver
    if (once && error instanceof Postponed) await forget(deps, call);
    return failedUnexpectedly(deps, call, error, isLastTry);
  }
}

const cutOff: NodeOutcome = {
  kind: 'ended',
  result: 'FAILED',
  message: 'Its call was cut off; whether the receiver got the call is not known, so it is not repeated',
};

/** Committed before the call, so that whoever takes up the job of a killed process sees it. */
function begin({ database }: RunsDeps, { actor, nodeRun }: NodeCall): Promise<boolean> {
  return database.transaction((tx) => beginCall(tx, actor.orgId, nodeRun.id, nodeRun.tries));
}

function forget({ database }: RunsDeps, { actor, nodeRun }: NodeCall): Promise<void> {
  return database.transaction((tx) => forgetCall(tx, actor.orgId, nodeRun.id));
}

/** Retries that a kind of node may ask for; it has less by itself. */
const triesMax = 20;
const backoffMs = 1_000;

async function planSettlement(
  deps: RunsDeps,
  before: Snapshot,
  call: StepCall,
  outcome: NodeOutcome | { readonly kind: 'not-called' },
): Promise<{ before: Snapshot; planned: PlannedTransition } | undefined> {
  const ask = (settled: Extract<Stimulus, { kind: 'settled' }>['outcome']) =>
    transition(toState(before), { kind: 'settled', nodeRun: call.nodeRun.id, outcome: settled });
  const { tries } = call.nodeRun;
  // what a program reported meanwhile stays
  const step = { ...call, run: before.run, nodeRun: { ...(before.nodeRun ?? call.nodeRun), tries } };
  switch (outcome.kind) {
    case 'ended': {
      const read = 'actor' in call ? await readEnd(deps.database, step as NodeCall, outcome) : failedEnd(step, outcome);
      const taken = ask({ kind: 'ended', result: read.result, outlet: read.outlet });
      if (taken.kind === 'refused') return undefined;
      const planned = withEnd(taken, read);
      return { before, planned: { ...planned, nodeRun: { ...planned.nodeRun, tries } } };
    }
    case 'waits': {
      const taken = ask({ kind: 'waits', for: outcome.for });
      if (taken.kind === 'refused') return undefined;
      const { nodeRun, log } = readWait(step, outcome);
      return { before, planned: { taken, nodeRun: { ...nodeRun, tries }, log } };
    }
    case 'again': {
      const taken = ask({ kind: tries < triesMax ? 'again' : 'gave-up' });
      if (taken.kind === 'refused') return undefined;
      return { before, planned: tryAgain(deps, taken, step, outcome) };
    }
    case 'not-called': {
      const taken = ask({ kind: 'not-called' });
      if (taken.kind === 'refused') return undefined;
      const message =
        tries === 1
          ? 'Cancelled before its call began'
          : 'Cancelled before it was called again; the receiver may have acted';
      return { before, planned: { taken, nodeRun: { message }, log: [{ level: 'INFO', message }] } };
    }
  }
}

function tryAgain(
  deps: RunsDeps,
  taken: PlannedTransition['taken'],
  step: Pick<NodeCall, 'run' | 'nodeRun' | 'node'>,
  { message, input, notBefore }: Extract<NodeOutcome, { kind: 'again' }>,
): PlannedTransition {
  const { tries } = step.nodeRun;
  if (taken.row !== 'call.again') {
    const ended = failedEnd(step, {
      kind: 'ended',
      result: 'FAILED',
      message,
      ...(input === undefined ? {} : { input }),
    });
    const planned = withEnd(
      taken,
      taken.row === 'call.gave-up' ? ended : { ...ended, nodeRun: { ...ended.nodeRun, goesOn: false } },
    );
    return { ...planned, nodeRun: { ...planned.nodeRun, tries } };
  }
  const now = deps.clock.now().getTime();
  const asked = notBefore ?? new Date(now + Math.min(300_000, backoffMs * 2 ** (tries - 1)));
  const dueAt = asked < step.run.deadlineAt ? asked : step.run.deadlineAt;
  const log = [{ level: 'WARN', message: `${message}; it is tried again at ${dueAt.toISOString()}` }];
  return { taken, nodeRun: { tries, dueAt, message, ...(input === undefined ? {} : { input }) }, log };
}
