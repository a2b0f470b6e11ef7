import type { Actor } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { withdrawAction } from '../nodes/withdraw-action.ts';
import { commitChildren, holdBreadth, type PlannedChildren } from './commit-children.ts';
import { compensationUntil } from './compensation-time.ts';
import type { Transition } from './machine.ts';
import { beginning } from './new-run.ts';
import { recordRun } from './record-run.ts';
import { advance, dispatchNode } from './run-jobs.ts';
import { RunMoved } from './run-moved.ts';
import type { RunsDeps } from './runs.deps.ts';
import type { Snapshot } from './snapshot.ts';
import { type LogLine, writeTransitions } from './transition.store.ts';
import type { StoredNodeRun, StoredWorkflowRun } from './workflow-run.ts';

type Taken = Extract<Transition, { kind: 'taken' }>;

/** A transition of the table with everything beside it that its commit writes. */
export interface PlannedTransition extends PlannedChildren {
  readonly taken: Taken;
  readonly run?: Partial<
    Pick<
      StoredWorkflowRun,
      'message' | 'messageBefore' | 'statusLabel' | 'cancelledBy' | 'repeatedBy' | 'steps' | 'bytes'
    >
  >;
  /** A new node run as a whole, or what changes of the one at which the run is. */
  readonly nodeRun?: StoredNodeRun | Partial<StoredNodeRun> | undefined;
  readonly response?: { readonly responder: string; readonly button: string; readonly inputs: unknown } | undefined;
  readonly log?: readonly LogLine[] | undefined;
  /** More that the same commit writes. */
  readonly also?: ((work: Work) => Promise<void>) | undefined;
  /** Whoever commits goes on by itself, so that no job is left for it. */
  readonly goesOnHere?: boolean | undefined;
}

export { RunMoved };

/** A transition, and what it was planned from. */
export interface PlannedStep {
  readonly before: Snapshot;
  readonly planned: PlannedTransition;
}

/** @throws RunMoved if the run is not as it was read */
export async function commitTransition(
  deps: Pick<RunsDeps, 'notify'>,
  work: Work,
  before: Snapshot,
  planned: PlannedTransition,
): Promise<Snapshot> {
  const [after] = await commitTransitions(deps, work, [{ before, planned }]);
  return after as Snapshot;
}

/**
 * The one place that writes transitions: the compare-and-set with node runs, events, responses and logs in one statement,
 * then their journal records and the jobs that go on. Each is planned from what the one before it leaves; answers what
 * each leaves.
 * @throws RunMoved if the run is not as it was read
 */
export async function commitTransitions(
  deps: Pick<RunsDeps, 'notify'>,
  work: Work,
  steps: readonly [PlannedStep, ...PlannedStep[]],
): Promise<readonly Snapshot[]> {
  const { tx, actor, now } = work;
  const taken = take(steps, now);
  const [first] = steps;
  const { after: left } = taken.at(-1) as TakenStep;
  for (const { planned, after } of taken) {
    if (planned.children && !planned.children.isUndoing)
      await holdBreadth(tx, actor.orgId, after.run, planned.children.runs.length);
  }
  const kept = await writeTransitions(tx, actor.orgId, {
    ...written(taken),
    fromRev: first.before.run.rev,
    run: left.run,
    now,
  });
  if (!kept) throw new RunMoved(first.before.run.id);
  for (const step of taken) await follow(deps, work, step);
  return taken.map(({ after }) => after);
}

/** The first transitions of a run, for the commit that stores the run. */
export interface CarriedStart {
  /** Who keeps the record of them. */
  readonly bookkeeper: Actor;
  readonly steps: readonly [PlannedStep, ...PlannedStep[]];
}

/** Stores a run with its first transitions, and answers what each leaves; undefined if it is there already. */
export async function commitStart(
  deps: Pick<RunsDeps, 'notify'>,
  work: Work,
  run: StoredWorkflowRun,
  { bookkeeper, steps }: CarriedStart,
): Promise<readonly Snapshot[] | undefined> {
  const { tx, actor, now } = work;
  const taken = take(steps, now);
  const { after: left } = taken.at(-1) as TakenStep;
  const { events, ...others } = written(taken);
  const first = { seq: run.rev, kind: 'run.started', nodeRunId: null, data: beginning(run) };
  const stored = { ...others, events: [first, ...events], fromRev: undefined, run: left.run, now };
  if (!(await writeTransitions(tx, actor.orgId, stored))) return undefined;
  recordRun(work, undefined, { run, nodeRun: null });
  const kept = work.beside(bookkeeper);
  for (const step of taken) await follow(deps, kept, step);
  return taken.map(({ after }) => after);
}

function take(steps: readonly PlannedStep[], now: Date): readonly TakenStep[] {
  return steps.map((step) => ({ ...step, after: applied(step.before, step.planned, now) }));
}

interface TakenStep extends PlannedStep {
  readonly after: Snapshot;
}

function written(steps: readonly TakenStep[]) {
  // the last state of each: one statement changes a row once
  const nodeRuns = new Map(steps.flatMap(({ after }) => (after.nodeRun ? [[after.nodeRun.id, after.nodeRun]] : [])));
  return {
    nodeRuns: [...nodeRuns.values()],
    events: steps.map(({ planned, after }) => ({
      seq: after.run.rev,
      kind: planned.taken.row,
      nodeRunId: after.nodeRun?.id ?? null,
      data: eventData(after),
    })),
    responses: steps.flatMap(({ planned: { response }, after: { nodeRun } }) =>
      response && nodeRun ? [{ ...response, nodeRunId: nodeRun.id }] : [],
    ),
    log: steps.flatMap(({ planned: { log = [] }, after: { nodeRun } }) =>
      nodeRun ? log.map((line) => ({ ...line, nodeRunId: nodeRun.id })) : [],
    ),
  };
}

/** Rows that end a wait from outside. */
const cutsOff = /^(cancel|deadline|stuck)\./;

/** The journal record of a transition, and the jobs that go on from it. */
async function follow(
  deps: Pick<RunsDeps, 'notify'>,
  work: Work,
  { before, planned, after }: TakenStep,
): Promise<void> {
  const { taken, goesOnHere } = planned;
  recordRun(work, before, after);
  await planned.also?.(work);
  if (taken.job === 'advance' && !goesOnHere) await work.enqueue(advance, { runId: after.run.id });
  if (taken.job === 'dispatch') await work.enqueue(dispatchNode, { nodeRunId: after.nodeRun?.id as string });
  await commitChildren(work, before, after, planned);
  const awaited =
    before.nodeRun?.type === 'RUN_ACTION' && before.nodeRun.phase !== 'ENDED' ? before.nodeRun : undefined;
  if (awaited?.externalRunId && cutsOff.test(taken.row) && after.nodeRun?.phase === 'ENDED') {
    await work.enqueue(withdrawAction, { actionRun: awaited.externalRunId, workflowRun: after.run.id });
  }
  if (taken.row === 'node.waits' && after.nodeRun?.phase === 'WAIT_RESPONSE' && deps.notify) {
    await work.enqueue(deps.notify, { nodeRunId: after.nodeRun.id });
  }
}

/** The rows as a transition leaves them. */
export function applied({ run, nodeRun }: Snapshot, planned: PlannedTransition, now: Date): Snapshot {
  const { state } = planned.taken;
  const { token } = state;
  const isCompleted = state.status === 'COMPLETED';
  const base = token !== null && nodeRun?.id === token.id ? { ...nodeRun, ...planned.nodeRun } : planned.nodeRun;
  const isOver = token?.phase === 'ENDED';
  const goesBack = state.endsAs !== null && (run.endsAs === null || run.status === 'COMPLETED');
  const stepped =
    token === null
      ? null
      : ({
          ...(base as StoredNodeRun),
          phase: token.phase,
          result: token.result,
          outlet: token.outlet,
          dueAt: isOver || token.phase === 'DISPATCHING' ? null : (base as StoredNodeRun).dueAt,
          endedAt: isOver ? ((base as StoredNodeRun).endedAt ?? now) : null,
        } satisfies StoredNodeRun);
  return {
    run: {
      ...run,
      ...planned.run,
      rev: run.rev + 1,
      status: state.status,
      result: state.result,
      cancel: state.cancel,
      endsAs: state.endsAs,
      deadlineAt: goesBack ? compensationUntil(run, now) : run.deadlineAt,
      atNodeRun: token?.id ?? null,
      updatedAt: now,
      completedAt: isCompleted ? now : null,
    },
    nodeRun: stepped,
  };
}

/** Enough of a transition to make the row of its run again from all of them. */
function eventData({ run, nodeRun }: Snapshot) {
  return {
    status: run.status,
    result: run.result,
    cancel: run.cancel,
    ...(run.endsAs === null ? {} : { endsAs: run.endsAs }),
    steps: run.steps,
    ...(nodeRun === null
      ? {}
      : { node: nodeRun.node, phase: nodeRun.phase, nodeResult: nodeRun.result, outlet: nodeRun.outlet }),
  };
}

const triesMax = 5;

/**
 * Plans outside any transaction and commits; whoever loses the run to another plans again. A plan may
 * throw `RunMoved` too, where what it read belongs to different states. Undefined if the plan has nothing to commit.
 * @throws AppError `stale_version` when the run moves on faster than it can be planned
 */
export async function planAndCommit<Plan extends PlannedTransition>(
  deps: Pick<RunsDeps, 'unitOfWork' | 'notify'>,
  actor: Actor,
  plan: () => Promise<{ readonly before: Snapshot; readonly planned: Plan } | undefined>,
): Promise<{ readonly before: Snapshot; readonly after: Snapshot; readonly planned: Plan } | undefined> {
  for (let tries = 1; ; tries += 1) {
    try {
      const made = await plan();
      if (made === undefined) return undefined;
      const { before, planned } = made;
      const after = await deps.unitOfWork(actor, (work) => commitTransition(deps, work, before, planned));
      return { before, after, planned };
    } catch (error) {
      if (!(error instanceof RunMoved)) throw error;
      if (tries >= triesMax) {
        throw new AppError('stale_version', 'The run changes faster than it can be changed; try again', {
          cause: error,
        });
      }
    }
  }
}
