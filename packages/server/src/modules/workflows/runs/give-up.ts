import { passingReason } from '../../../platform/db/passing-failure.ts';
import { AppError } from '../../../platform/errors.ts';
import { createGraph, goesOnAfterFailure } from '../definitions/graph.ts';
import { findNext } from './advance-run.ts';
import { type PlannedTransition, planAndCommit } from './commit-transition.ts';
import { owesCompensation } from './compensations.ts';
import { withEnd } from './expire-node.ts';
import { describeFailure, isGivenUp, unexpectedMax } from './lasting-failure.ts';
import { transition } from './machine.ts';
import { failedEnd } from './read-outcome.ts';
import { attempts } from './run-jobs.ts';
import type { RunsDeps } from './runs.deps.ts';
import {
  bookkeeper,
  readForRun,
  readSnapshot,
  readSnapshotAt,
  type Snapshot,
  toState,
  versionOfRun,
} from './snapshot.ts';

/** Of a run, or of a node run whose call is being made. */
export type Carried = { readonly runId: string } | { readonly nodeRunId: string };

interface Attempt {
  readonly orgId: string;
  /** Counts from 1. */
  readonly attempt: number;
  readonly signal: AbortSignal;
}

/**
 * Carries out a job of a run, which ends if the job fails for good, so that none stands still: the one place where that is
 * decided. The last attempt there is does nothing else, because the ones before it were used up by what can be
 * caught by no one, as processes that died.
 */
export async function carryOutOrGiveUp(
  deps: RunsDeps,
  carried: Carried,
  { orgId, attempt, signal }: Attempt,
  carryOut: (isLastTry: boolean) => Promise<void>,
): Promise<void> {
  if (attempt >= attempts) {
    const message = `It was tried ${attempts - 1} times, and each try was cut off or failed`;
    await giveUp(deps, orgId, carried, new AppError('internal_error', message));
    return;
  }
  const isLastTry = attempt >= unexpectedMax;
  try {
    await carryOut(isLastTry);
  } catch (error) {
    if (!isGivenUp(error, { isLastTry, signal })) throw error;
    await giveUp(deps, orgId, carried, error);
  }
}

/**
 * Fails what is open in a run, and the run with it unless the call that failed lets it go on (`onFailure`): it goes back
 * over its steps as after any failure, or ends if it was doing that already. A run that waits for something is left
 * alone: somebody else has moved it on.
 */
async function giveUp(deps: RunsDeps, orgId: string, carried: Carried, error: unknown): Promise<void> {
  const read = () =>
    'runId' in carried
      ? readSnapshot(deps.database, orgId, carried.runId)
      : readSnapshotAt(deps.database, orgId, carried.nodeRunId);
  const first = await read();
  const actor = first && (await bookkeeper(deps.database, orgId, first.run));
  if (!actor) return;
  const done = await planAndCommit(deps, actor, async () => {
    const before = await read();
    if (!before || !standsStill(before, carried)) return undefined;
    return (await planFailedCall(deps, orgId, before, error)) ?? planEnd(deps, orgId, before, error);
  });
  if (!done) return;
  const { run, nodeRun } = done.before;
  const what = done.planned.taken.row === 'call.ended' ? 'a step' : 'a run';
  deps.log.error(
    { error, orgId, workflowRun: run.id, workflow: run.workflowIdentifier, nodeRun: nodeRun?.id, node: nodeRun?.node },
    `${what} of a workflow was given up, because it could not be taken further`,
  );
}

/** The end of a call whose failure lets the run go on; undefined for any other. */
async function planFailedCall(
  deps: RunsDeps,
  orgId: string,
  before: Snapshot,
  error: unknown,
): Promise<{ before: Snapshot; planned: PlannedTransition } | undefined> {
  const { run, nodeRun } = before;
  if (nodeRun?.phase !== 'DISPATCHING' || run.endsAs !== null) return undefined;
  const node = await unlessUnreadable(async () => {
    const workflow = await versionOfRun(deps.database, orgId, run);
    return workflow && createGraph(workflow.definition).node(nodeRun.node);
  }, undefined);
  if (!node || !goesOnAfterFailure(node)) return undefined;
  const outcome = { kind: 'ended', result: 'FAILED', outlet: null } as const;
  const taken = transition(toState(before), { kind: 'settled', nodeRun: nodeRun.id, outcome });
  if (taken.kind === 'refused') return undefined;
  const failure = describeFailure(error);
  const { kind, result } = outcome;
  const ended = failedEnd({ node, nodeRun, run }, { kind, result, message: failure.message, raw: { error: failure } });
  return { before, planned: withEnd(taken, ended) };
}

function standsStill({ run, nodeRun }: Snapshot, carried: Carried): boolean {
  if (run.status === 'COMPLETED') return false;
  if ('nodeRunId' in carried) return nodeRun?.id === carried.nodeRunId && nodeRun.phase === 'DISPATCHING';
  if (!nodeRun || nodeRun.phase === 'ENDED' || nodeRun.phase === 'WAIT_CHILD') return true;
  return nodeRun.phase !== 'DISPATCHING' && nodeRun.dueAt === null;
}

async function planEnd(
  deps: RunsDeps,
  orgId: string,
  before: Snapshot,
  error: unknown,
): Promise<{ before: Snapshot; planned: PlannedTransition } | undefined> {
  const taken = transition(toState(before), { kind: 'stuck', owes: await owesAsKnown(deps, orgId, before) });
  if (taken.kind === 'refused') return undefined;
  const { run, nodeRun } = before;
  const failure = describeFailure(error);
  const where = await describePlace(deps, orgId, before);
  const stopped = `Stopped: ${where}. ${failure.message} (${failure.code})`;
  const log = [{ level: 'ERROR', message: stopped }];
  const isOpen = nodeRun !== null && nodeRun.phase !== 'ENDED';
  const ended = isOpen ? { nodeRun: { raw: { error: failure }, message: failure.message }, log } : {};
  // why it went back stays, also where that is repeated
  const { message } = run;
  const told =
    run.endsAs === null || message === null
      ? { message: stopped }
      : { message: `${message}. ${stopped}`, messageBefore: run.messageBefore ?? { message } };
  return { before, planned: { taken, run: told, ...ended } };
}

/** What cannot be read of a definition cannot be undone by it either. */
async function owesAsKnown({ database }: RunsDeps, orgId: string, before: Snapshot): Promise<boolean> {
  return unlessUnreadable(() => owesCompensation(database, orgId, before), false);
}

/** Where the run stands, by the name of its step. */
async function describePlace(deps: RunsDeps, orgId: string, before: Snapshot): Promise<string> {
  const { run, nodeRun } = before;
  if (nodeRun && nodeRun.phase !== 'ENDED') return `the step "${nodeRun.node}" could not go on`;
  const next = await unlessUnreadable(async () => {
    const reading = run.endsAs === null ? await readForRun(deps, orgId, run) : undefined;
    return reading && findNext(before, reading);
  }, undefined);
  if (next?.kind === 'node') return `the step "${next.node.identifier}" could not be carried out`;
  return nodeRun ? `it could not go on after the step "${nodeRun.node}"` : 'it could not begin';
}

async function unlessUnreadable<Read>(read: () => Promise<Read>, otherwise: Read): Promise<Read> {
  try {
    return await read();
  } catch (error) {
    if (passingReason(error) !== undefined) throw error;
    return otherwise;
  }
}
