import { toRecord } from '@portolan/contract/json-value';
import { createGraph } from '../definitions/graph.ts';
import type { PlannedTransition } from './commit-transition.ts';
import { transition } from './machine.ts';
import { listResponses } from './node-run.store.ts';
import { failedEnd, type ReadEnd, readEnd } from './read-outcome.ts';
import { responseOutput } from './response-output.ts';
import type { RunsDeps } from './runs.deps.ts';
import { callInJob, type RunReading, type Snapshot, toState } from './snapshot.ts';
import type { StoredNodeRun } from './workflow-run.ts';

/** What becomes of a node whose moment has come; undefined if nothing does. */
export async function expireNode(
  deps: RunsDeps,
  before: Snapshot,
  reading: RunReading,
  signal: AbortSignal,
): Promise<PlannedTransition | undefined> {
  const { run, nodeRun } = before;
  if (!nodeRun) return undefined;
  const {
    bookkeeper: { orgId },
    workflow,
  } = reading;
  const node = workflow && createGraph(workflow.definition).node(nodeRun.node);
  const outlet = toRecord(node?.config['onExpire'])['outletIdentifier'];
  const way = typeof outlet === 'string' ? outlet : null;
  const taken = transition(toState(before), { kind: 'due', nodeRun: nodeRun.id, outlet: way });
  if (taken.kind === 'refused') return undefined;
  if (taken.row === 'due.retry') return { taken, nodeRun: { tries: nodeRun.tries + 1 } };
  if (!workflow || !node) return withEnd(taken, failureOf(nodeRun, 'The version of the workflow is gone'));
  const failure = expiredBecause(nodeRun, way);
  if (failure !== undefined) {
    return withEnd(taken, failedEnd({ run, nodeRun, node }, { kind: 'ended', result: 'FAILED', message: failure }));
  }
  const call = await callInJob(deps, { ...reading, workflow }, { run, nodeRun, node, signal });
  const raw =
    nodeRun.phase === 'WAIT_RESPONSE'
      ? responseOutput(way, await listResponses(deps.database, orgId, [nodeRun.id]))
      : (nodeRun.raw ?? {});
  const read =
    'problem' in call
      ? failedEnd({ run, nodeRun, node }, { kind: 'ended', result: 'FAILED', message: call.problem })
      : await readEnd(deps.database, call, { kind: 'ended', result: 'SUCCESS', raw, outlet: way });
  return withEnd(read.result === 'SUCCESS' ? taken : failed(taken), read);
}

/** Why a wait that is over fails; undefined where the run goes on. */
function expiredBecause(nodeRun: StoredNodeRun, way: string | null): string | undefined {
  const since = (nodeRun.startedAt ?? nodeRun.createdAt).toISOString();
  if (nodeRun.type === 'RUN_ACTION') return `The run ${nodeRun.externalRunId} of the action had not ended in time`;
  if (nodeRun.phase === 'WAIT_REPORT') return `Nobody reported what became of it since ${since}`;
  if (nodeRun.phase === 'WAIT_RESPONSE' && way === null) return `Not enough people answered the form since ${since}`;
  return undefined;
}

function failureOf({ links }: StoredNodeRun, message: string): ReadEnd {
  const nodeRun = { raw: { error: { message } }, output: null, links, message };
  return { result: 'FAILED', outlet: null, nodeRun, log: [{ level: 'ERROR', message }] };
}

type Taken = PlannedTransition['taken'];

/** The same transition, with a node that failed after all. */
export function failed(taken: Taken): Taken {
  const { token } = taken.state;
  return token ? { ...taken, state: { ...taken.state, token: { ...token, result: 'FAILED', outlet: null } } } : taken;
}

export function withEnd(taken: Taken, { nodeRun, run, log }: ReadEnd): PlannedTransition {
  return { taken, nodeRun, ...(run ? { run } : {}), log };
}
