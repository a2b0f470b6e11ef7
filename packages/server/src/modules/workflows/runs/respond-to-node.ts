import { isRecord } from '@portolan/contract/json-value';
import type { Actor } from '../../../platform/actor.ts';
import { AppError, invalidRequest, notFound } from '../../../platform/errors.ts';
import { isDecider } from '../../actions/index.ts';
import { createGraph } from '../definitions/graph.ts';
import type { WorkflowNode } from '../definitions/workflow.ts';
import { NodeFailure } from '../nodes/node-failure.ts';
import type { NodeCall } from '../nodes/node-kind.ts';
import { runContext } from '../nodes/run-context.ts';
import { readLabels } from '../nodes/status-label.ts';
import { type PlannedTransition, planAndCommit } from './commit-transition.ts';
import { decideOutlet, outletsOfInput } from './decide-outlet.ts';
import { failed, withEnd } from './expire-node.ts';
import { transition } from './machine.ts';
import { findNodeRun, listResponses } from './node-run.store.ts';
import { failedEnd, readEnd, withoutNul } from './read-outcome.ts';
import { nodeRunEnded } from './report-node.ts';
import { closedList, isNamedResponder, mayRespond } from './responders.ts';
import { responseOutput } from './response-output.ts';
import { maySeeRun } from './run-rights.ts';
import type { RunsDeps } from './runs.deps.ts';
import { buildCall, readSnapshotAt, type Snapshot, toState, versionOfRun } from './snapshot.ts';
import type { StoredNodeRun, StoredWorkflowRun } from './workflow-run.ts';

export interface Response {
  readonly button: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}

/**
 * Stores a person's answer to a form that waits, once for each of them, and ends the step if its button has now been
 * pressed by enough people.
 * @throws AppError `not_found`, `missing_permissions`, `node_run_ended`, `already_responded`, `invalid_request`
 */
export async function respondToNode(
  deps: RunsDeps,
  actor: Actor,
  nodeRunId: string,
  response: Response,
): Promise<StoredWorkflowRun> {
  const done = await planAndCommit(deps, actor, async () => {
    const before = await readSnapshotAt(deps.database, actor.orgId, nodeRunId);
    if (!before || !(await maySeeForm(deps, actor, before, nodeRunId))) throw notFound('Node run', nodeRunId, 'id');
    return { before, planned: await planResponse(deps, actor, before, nodeRunId, response) };
  });
  return (done as NonNullable<typeof done>).after.run;
}

/** Whoever was named to answer may know what became of the form. */
async function maySeeForm(deps: RunsDeps, actor: Actor, { run }: Snapshot, nodeRunId: string): Promise<boolean> {
  if (await maySeeRun(deps.database, actor, run)) return true;
  return isNamedResponder(deps.database, actor, await findEnded(deps, actor.orgId, nodeRunId));
}

async function planResponse(
  deps: RunsDeps,
  actor: Actor,
  before: Snapshot,
  nodeRunId: string,
  response: Response,
): Promise<PlannedTransition> {
  const { orgId } = actor;
  const { run } = before;
  const nodeRun = before.nodeRun?.id === nodeRunId ? before.nodeRun : await findEnded(deps, orgId, nodeRunId);
  if (nodeRun.type !== 'INPUT') throw notFound('Node run', nodeRunId, 'id');
  const earlier = await listResponses(deps.database, orgId, [nodeRunId]);
  const name = actor.userId ?? actor.id;
  if (earlier.some(({ responder }) => responder === name)) {
    throw new AppError('already_responded', 'You have answered this form already, and everybody answers once');
  }
  if (nodeRun.phase === 'ENDED' || run.status === 'COMPLETED') throw nodeRunEnded(nodeRun);
  if (!isDecider(actor)) {
    throw new AppError('missing_permissions', 'Forms are answered by people, in the portal or over the API');
  }
  if (!(await mayRespond(deps.database, actor, nodeRun))) {
    throw new AppError('missing_permissions', 'You are not one of the people who may answer this form');
  }
  const workflow = await versionOfRun(deps.database, orgId, run);
  const node = workflow && createGraph(workflow.definition).node(nodeRun.node);
  if (!workflow || !node) throw notFound('Node run', nodeRunId, 'id');
  const signal = new AbortController().signal;
  const inputs = (await deps.checkResponse(actor, node, nodeRun, response.inputs)).values;
  assertButton(node, response.button);
  const answer = { responder: name, button: response.button, inputs: withoutNul(inputs) as Response['inputs'] };
  const all = [...earlier, answer];
  const verdict = decideOutlet(
    outletsOfInput(node),
    all.map(({ button }) => button),
    peopleLeft(nodeRun, all),
  );
  const taken = transition(toState(before), { kind: 'responded', nodeRun: nodeRunId, verdict });
  if (taken.kind === 'refused') throw nodeRunEnded(nodeRun);
  if (verdict.kind === 'counted') return { taken, response: answer };
  const raw = responseOutput(verdict.kind === 'decided' ? verdict.outlet : null, all);
  if (verdict.kind === 'impossible') {
    const message = 'No button can reach its number any more: too many people pressed others';
    const read = failedEnd({ run, nodeRun, node }, { kind: 'ended', result: 'FAILED', message, raw });
    return { ...withEnd(taken, read), response: answer };
  }
  const call = await buildCall(deps, { orgId, run, nodeRun, workflow, node, signal });
  if ('problem' in call) {
    const read = failedEnd({ run, nodeRun, node }, { kind: 'ended', result: 'FAILED', message: call.problem, raw });
    return { ...withEnd(failed(taken), read), response: answer };
  }
  const labels = await labelsOf(deps, call, verdict.outlet);
  const read = await readEnd(deps.database, call, {
    kind: 'ended',
    result: 'SUCCESS',
    raw,
    outlet: verdict.outlet,
    ...labels,
  });
  return { ...withEnd(read.result === 'SUCCESS' ? taken : failed(taken), read), response: answer };
}

async function findEnded(deps: RunsDeps, orgId: string, id: string): Promise<StoredNodeRun> {
  const nodeRun = await findNodeRun(deps.database, orgId, id);
  if (!nodeRun) throw notFound('Node run', id, 'id');
  return nodeRun;
}

function assertButton({ config }: WorkflowNode, button: string): void {
  const form = config['userInputs'];
  const buttons = isRecord(form) && Array.isArray(form['buttons']) ? form['buttons'].filter(isRecord) : [];
  const names = buttons.map(({ identifier }) => String(identifier));
  if (names.includes(button)) return;
  const message =
    names.length === 0 ? 'the form has no buttons' : `is no button of the form: press ${names.join(' or ')}`;
  throw invalidRequest([{ path: '/buttonIdentifier', message }], 'The response');
}

function peopleLeft(nodeRun: StoredNodeRun, answers: readonly { readonly responder: string }[]): number | undefined {
  const people = closedList(nodeRun);
  const answered = new Set(answers.map(({ responder }) => responder.toLowerCase()));
  return people?.filter((each) => !answered.has(each)).length;
}

async function labelsOf(deps: RunsDeps, call: NodeCall, outlet: string) {
  const chosen = outletsOfInput(call.node).find(({ identifier }) => identifier === outlet);
  if (!chosen) return {};
  try {
    return readLabels(chosen, await runContext(deps, call), call.now);
  } catch (error) {
    // a label that cannot be rendered takes nobody's answer away
    if (error instanceof NodeFailure) return {};
    throw error;
  }
}
