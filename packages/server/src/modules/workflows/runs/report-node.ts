import type { Actor } from '../../../platform/actor.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { isSameJson } from '../../../platform/same-json.ts';
import { createGraph } from '../definitions/graph.ts';
import type { NodeRunReport } from '../nodes/node-run.ports.ts';
import { type PlannedTransition, planAndCommit } from './commit-transition.ts';
import { failed, withEnd } from './expire-node.ts';
import { transition } from './machine.ts';
import { findNodeRun } from './node-run.store.ts';
import { failedEnd, readEnd, withoutNul } from './read-outcome.ts';
import type { RunsDeps } from './runs.deps.ts';
import { buildCall, readSnapshotAt, type Snapshot, toState, versionOfRun } from './snapshot.ts';
import type { StoredNodeRun } from './workflow-run.ts';

/**
 * Stores what a program says became of a node run. A report may overtake the answer to the call that it is about; the
 * same end reported again is accepted.
 * @throws AppError `not_found`, `node_run_ended`
 */
export async function reportNode(
  deps: RunsDeps,
  actor: Actor,
  nodeRunId: string,
  report: NodeRunReport,
): Promise<StoredNodeRun> {
  let before: Snapshot | undefined;
  const done = await planAndCommit(deps, actor, async () => {
    before = await readSnapshotAt(deps.database, actor.orgId, nodeRunId);
    if (!before) throw notFound('Node run', nodeRunId, 'id');
    if (before.nodeRun?.id !== nodeRunId) throw await endedBefore(deps, actor.orgId, nodeRunId);
    const planned = await planReport(deps, actor.orgId, before, before.nodeRun, report);
    return planned && { before, planned };
  });
  return (done?.after.nodeRun ?? before?.nodeRun) as StoredNodeRun;
}

async function endedBefore(deps: RunsDeps, orgId: string, nodeRunId: string): Promise<AppError> {
  const nodeRun = await findNodeRun(deps.database, orgId, nodeRunId);
  return nodeRun ? nodeRunEnded(nodeRun) : notFound('Node run', nodeRunId, 'id');
}

export function nodeRunEnded({ id, result, endedAt, message }: StoredNodeRun): AppError {
  const at = endedAt?.toISOString() ?? null;
  return new AppError(
    'node_run_ended',
    `The step "${id}" ended as ${result ?? 'unknown'} at ${at ?? 'an unknown time'}`,
    {
      details: { result, endedAt: at, message },
    },
  );
}

async function planReport(
  deps: RunsDeps,
  orgId: string,
  before: Snapshot,
  nodeRun: StoredNodeRun,
  report: NodeRunReport,
): Promise<PlannedTransition | undefined> {
  const { run } = before;
  const result =
    report.status === 'COMPLETED' || (report.status === undefined && report.result) ? (report.result ?? null) : null;
  const taken = transition(toState(before), { kind: 'reported', nodeRun: nodeRun.id, result });
  if (taken.kind === 'refused') {
    if (result !== null && isSameEnd(nodeRun, result, report)) return undefined;
    if (nodeRun.phase === 'ENDED') throw nodeRunEnded(nodeRun);
    throw new AppError('node_run_ended', `The step "${nodeRun.id}" takes no reports: it is not carried out outside`);
  }
  const given = report.output === undefined ? {} : { raw: withoutNul(report.output) };
  const links = report.links ? [...report.links] : nodeRun.links;
  const outside = report.externalRunId === undefined ? {} : { externalRunId: report.externalRunId };
  const log = report.logs ?? [];
  const reported = { ...nodeRun, ...given, ...outside, links };
  if (result === null) return { taken, nodeRun: { ...given, ...outside, links }, log };
  const workflow = await versionOfRun(deps.database, orgId, run);
  const node = workflow && createGraph(workflow.definition).node(nodeRun.node);
  if (!workflow || !node) return { taken, nodeRun: reported, log };
  if (result !== 'SUCCESS') {
    const message = failureOf(result, reported.raw);
    const raw = reported.raw ?? { error: { message } };
    const read = failedEnd({ run, nodeRun: reported, node }, { kind: 'ended', result: 'FAILED', message, raw });
    const planned = withEnd(taken, { ...read, nodeRun: { ...read.nodeRun, ...outside } });
    return { ...planned, log: [...log, ...(planned.log ?? [])] };
  }
  const call = await buildCall(deps, {
    orgId,
    run,
    nodeRun: reported,
    workflow,
    node,
    signal: new AbortController().signal,
  });
  const read =
    'problem' in call
      ? failedEnd({ run, nodeRun: reported, node }, { kind: 'ended', result: 'FAILED', message: call.problem })
      : await readEnd(deps.database, call, { kind: 'ended', result: 'SUCCESS', raw: reported.raw });
  const planned = withEnd(read.result === 'SUCCESS' ? taken : failed(taken), {
    ...read,
    nodeRun: { ...read.nodeRun, ...outside },
  });
  return { ...planned, log: [...log, ...(planned.log ?? [])] };
}

function failureOf(result: string, raw: unknown): string {
  const said = (raw as { error?: { message?: unknown } | string } | null)?.error;
  const text = typeof said === 'string' ? said : said?.message;
  if (typeof text === 'string' && text !== '') return text.slice(0, 2_000);
  return result === 'CANCELLED'
    ? 'The program that carried it out cancelled it'
    : 'The program that carried it out reported a failure';
}

function isSameEnd(nodeRun: StoredNodeRun, result: string, { output }: NodeRunReport): boolean {
  if (nodeRun.phase !== 'ENDED' || nodeRun.result !== result) return false;
  return output === undefined || isSameJson(withoutNul(output), nodeRun.raw);
}
