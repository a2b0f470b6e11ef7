import type { Reader } from '../../../platform/db/database.ts';
import { newId } from '../../../platform/ids.ts';
import { begun, newNodeRun } from './begin-node.ts';
import { listChildren } from './child-runs.store.ts';
import type { PlannedTransition } from './commit-transition.ts';
import { compensationUntil } from './compensation-time.ts';
import { findUndoable } from './compensations.store.ts';
import type { NextCompensation } from './compensations.ts';
import { transition } from './machine.ts';
import { findNodeRun } from './node-run.store.ts';
import { findWorkflowRun } from './run.store.ts';
import { RunMoved } from './run-moved.ts';
import type { RunsDeps } from './runs.deps.ts';
import { type Snapshot, toState } from './snapshot.ts';
import type { StoredNodeRun, StoredWorkflowRun } from './workflow-run.ts';

/** Whether a node run undoes the runs that its step began, one after the other: it is of the step that it undoes. */
export async function undoesChildren(reader: Reader, orgId: string, nodeRun: StoredNodeRun): Promise<boolean> {
  if (nodeRun.compensates === null) return false;
  const undone = await findNodeRun(reader, orgId, nodeRun.compensates);
  return undone?.node === nodeRun.node;
}

/** Begins to undo what runs of a step's bodies did, in a run for each of them that succeeded; the last first. */
export async function beginUndoing(
  deps: RunsDeps,
  before: Snapshot,
  { node, compensates, attempt }: Extract<NextCompensation, { kind: 'children' }>,
  orgId: string,
): Promise<PlannedTransition> {
  const now = deps.clock.now();
  const run =
    before.run.endsAs === null ? { ...before.run, deadlineAt: compensationUntil(before.run, now) } : before.run;
  const nodeRun = { ...newNodeRun(before, { node, compensates, attempt }, now), dueAt: run.deadlineAt };
  const children = await undoNext(deps, orgId, run, nodeRun, 0);
  if (!children) throw new RunMoved(run.id);
  const log = [{ level: 'INFO', message: 'What its runs did is undone, the last first' }];
  return { ...begun(before, nodeRun, { kind: 'waits', for: 'child' }, {}), children, log };
}

/** The next run that undoes one, or the end; undefined while one goes on. */
export async function countUndone(
  deps: RunsDeps,
  before: Snapshot,
  orgId: string,
): Promise<PlannedTransition | undefined> {
  const { run } = before;
  const nodeRun = before.nodeRun as StoredNodeRun;
  const undoing = await listChildren(deps.database, orgId, nodeRun.id);
  if (undoing.some(({ status }) => status !== 'COMPLETED')) return undefined;
  const children = await undoNext(deps, orgId, run, nodeRun, undoing.length);
  const failed = undoing.filter(({ result }) => result !== 'SUCCESS');
  const verdict = children
    ? ({ kind: 'counted' } as const)
    : ({ kind: 'ended', result: failed.length === 0 ? 'SUCCESS' : 'FAILED', outlet: null } as const);
  const taken = transition(toState(before), { kind: 'children', nodeRun: nodeRun.id, verdict });
  if (taken.kind === 'refused') return undefined;
  if (children) return { taken, children };
  if (failed.length === 0) return { taken, nodeRun: { raw: { runs: undoing.length } }, childrenEnded: true };
  const message = `${failed.length} of ${undoing.length} runs were not undone whole: ${failed.map(({ id }) => id).join(', ')}`;
  const log = [{ level: 'ERROR', message }];
  return { taken, nodeRun: { raw: { error: { message } }, message }, childrenEnded: true, log };
}

async function undoNext(
  deps: RunsDeps,
  orgId: string,
  run: StoredWorkflowRun,
  nodeRun: StoredNodeRun,
  index: number,
): Promise<PlannedTransition['children']> {
  const id = await findUndoable(deps.database, orgId, nodeRun.compensates as string);
  const done = id === undefined ? undefined : await findWorkflowRun(deps.database, orgId, id);
  if (!done) return undefined;
  return { runs: [undoing(done, run, nodeRun, index, deps.clock.now())], atOnce: 1, isUndoing: true };
}

/** A run that goes back over the steps of one that succeeded. */
function undoing(
  done: StoredWorkflowRun,
  parent: StoredWorkflowRun,
  nodeRun: StoredNodeRun,
  itemIndex: number,
  now: Date,
): StoredWorkflowRun {
  return {
    ...done,
    id: newId('wfr_'),
    status: 'IN_PROGRESS',
    result: null,
    statusLabel: null,
    message: null,
    messageBefore: null,
    atNodeRun: null,
    rev: 0,
    causedBy: parent.id,
    parentRun: parent.id,
    parentNodeRun: nodeRun.id,
    itemIndex,
    cancel: null,
    cancelledBy: null,
    repeatedBy: null,
    endsAs: 'SUCCESS',
    compensates: done.id,
    steps: 0,
    bytes: 0,
    deadlineAt: parent.deadlineAt,
    createdAt: now,
    updatedAt: now,
    completedAt: null,
  };
}
