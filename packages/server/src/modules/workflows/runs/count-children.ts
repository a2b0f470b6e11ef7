import { carrying, outside } from '../../../platform/text-authors.ts';
import { createGraph } from '../definitions/graph.ts';
import type { Children, GoesOn, NewChild } from '../nodes/child-runs.ts';
import type { EndedNode, NodeCall } from '../nodes/node-kind.ts';
import { tooMany } from './begin-children.ts';
import { listChildren, readChildOutputs, type StoredChild } from './child-runs.store.ts';
import type { PlannedTransition } from './commit-transition.ts';
import { failed, withEnd } from './expire-node.ts';
import { transition } from './machine.ts';
import { newChildRun } from './new-child-run.ts';
import { failedEnd, type ReadEnd, readEnd } from './read-outcome.ts';
import { advance } from './run-jobs.ts';
import type { RunsDeps } from './runs.deps.ts';
import { callInJob, type RunReading, type Snapshot, toState } from './snapshot.ts';
import { countUndone, undoesChildren } from './undo-children.ts';
import type { StoredNodeRun } from './workflow-run.ts';

/**
 * What becomes of a step that waits for its children, by their rows: nothing is counted on the way, so nothing is counted
 * twice. Sends on those whose turn has come, which is harmless as often as it is done. Undefined if nothing is to be kept.
 */
export async function countChildren(
  deps: RunsDeps,
  before: Snapshot,
  reading: RunReading,
  signal: AbortSignal,
): Promise<PlannedTransition | undefined> {
  const { run } = before;
  const nodeRun = before.nodeRun as StoredNodeRun;
  const {
    bookkeeper: { orgId },
    workflow,
  } = reading;
  const node = workflow && createGraph(workflow.definition).node(nodeRun.node);
  const kind = deps.kinds[nodeRun.type];
  if (await undoesChildren(deps.database, orgId, nodeRun)) return countUndone(deps, before, orgId);
  const stored = await listChildren(deps.database, orgId, nodeRun.id);
  const isOver = stored.every(({ status }) => status === 'COMPLETED');
  const ends = (read: ReadEnd): PlannedTransition | undefined => {
    const { result, outlet } = read;
    const verdict = { kind: 'ended', result, outlet } as const;
    const taken = transition(toState(before), { kind: 'children', nodeRun: nodeRun.id, verdict });
    if (taken.kind === 'refused') return undefined;
    return { ...withEnd(result === 'SUCCESS' ? taken : failed(taken), read), childrenEnded: isOver };
  };
  const fails = (message: string) => {
    const gone = { identifier: nodeRun.node, config: { type: 'STOP' } } as const;
    return ends(failedEnd({ run, nodeRun, node: node ?? gone }, { kind: 'ended', result: 'FAILED', message }));
  };
  if (!workflow || !node) return fails('The version of the workflow is gone');
  if (kind?.effect !== 'children') return fails(`Steps of type "${nodeRun.type}" are not supported here`);
  const call = await callInJob(deps, { ...reading, workflow }, { run, nodeRun, node, signal });
  if ('problem' in call) return fails(call.problem);
  const outcome: EndedNode | GoesOn = await kind.count(call, toChildren(deps, call, stored));
  const problem = outcome.kind === 'goes-on' && outcome.begins ? await tooMany(deps, call, 1) : undefined;
  if (problem !== undefined) return fails(problem);
  if (outcome.kind === 'ended') return ends(await readEnd(deps.database, call, outcome));
  await sendOn(deps, orgId, outcome);
  return goesOn(before, call, outcome);
}

/** Changes the step only where another child begins, or it looks again at another time. */
function goesOn(before: Snapshot, call: NodeCall, { begins, dueAt }: GoesOn): PlannedTransition | undefined {
  const { run } = call;
  const asked = dueAt !== undefined && dueAt < run.deadlineAt ? dueAt : run.deadlineAt;
  if (!begins && call.nodeRun.dueAt?.getTime() === asked.getTime()) return undefined;
  const verdict = { kind: 'counted' } as const;
  const taken = transition(toState(before), { kind: 'children', nodeRun: call.nodeRun.id, verdict });
  if (taken.kind === 'refused') return undefined;
  return { taken, nodeRun: { dueAt: asked }, ...(begins ? { children: onlyOne(call, begins) } : {}) };
}

/** It goes on from what the one before it gave, which may come from anywhere. */
function onlyOne(call: NodeCall, child: NewChild): PlannedTransition['children'] {
  return { runs: [newChildRun({ ...call, actor: carrying(call.actor, [outside]) }, child)], atOnce: 1 };
}

async function sendOn(deps: RunsDeps, orgId: string, { sendOn: given = [] }: GoesOn): Promise<void> {
  const waiting = given.filter(({ isBegun }) => !isBegun);
  if (waiting.length === 0) return;
  const inputs = waiting.map(({ id }) => ({ orgId, input: { runId: id } }));
  await deps.database.transaction((tx) => deps.jobs.enqueueAll(tx, advance, inputs));
}

function toChildren({ database }: RunsDeps, call: NodeCall, stored: readonly StoredChild[]): Children {
  return {
    all: stored.map(({ id, itemIndex, status, result, message, rev, completedAt }) => ({
      id,
      index: itemIndex,
      isEnded: status === 'COMPLETED',
      isBegun: rev > 0,
      result,
      message,
      endedAt: completedAt,
    })),
    readOutputs: () => readChildOutputs(database, call.actor.orgId, call.nodeRun.id),
  };
}
