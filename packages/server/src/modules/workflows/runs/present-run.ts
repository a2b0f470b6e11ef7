import { isRecord } from '@portolan/contract/json-value';
import type { NodeRunAnswer, WorkflowRunAnswer, WorkflowRunSummary } from '@portolan/contract/workflow-runs';
import type { Actor } from '../../../platform/actor.ts';
import type { Reader } from '../../../platform/db/database.ts';
import { encryptedInputs, findActionRun } from '../../actions/index.ts';
import { createGraph } from '../definitions/graph.ts';
import type { StoredWorkflow, WorkflowNode } from '../definitions/workflow.ts';
import type { NodeKinds } from '../nodes/node-kind.ts';
import { listChildren } from './child-runs.store.ts';
import { outletsOfInput } from './decide-outlet.ts';
import { failedCompensations } from './failed-compensations.ts';
import { listNodeRunsOfRun, listResponses, type StoredResponse } from './node-run.store.ts';
import { mayRespond } from './responders.ts';
import { mayCancelRun } from './run-rights.ts';
import { versionOfRun } from './snapshot.ts';
import type { StoredNodeRun, StoredWorkflowRun } from './workflow-run.ts';

type Values = Readonly<Record<string, unknown>>;
const hiddenText = '••••••';

export function presentSummary(
  run: StoredWorkflowRun,
  current: StoredNodeRun | undefined,
  workflow: StoredWorkflow | undefined,
): WorkflowRunSummary {
  const trigger = workflow && createGraph(workflow.definition).node(run.triggerNode);
  return {
    identifier: run.id,
    workflow: { identifier: run.workflowIdentifier, title: workflow?.definition.title ?? null, version: run.version },
    status: run.status,
    result: run.result,
    statusLabel: run.statusLabel,
    message: run.message,
    trigger: {
      identifier: run.triggerNode,
      type: run.triggerKind ?? trigger?.config.type ?? 'UNKNOWN',
      by: { id: run.createdBy, kind: run.createdByKind },
      causedBy: run.causedBy,
    },
    rerunOf: run.rerunOf,
    parent:
      run.parentRun === null || run.parentNodeRun === null
        ? null
        : { run: run.parentRun, nodeRun: run.parentNodeRun, index: run.itemIndex ?? 0 },
    entity: run.blueprint !== null && run.entity !== null ? { blueprint: run.blueprint, identifier: run.entity } : null,
    currentNode: run.status === 'COMPLETED' ? null : (current?.node ?? null),
    waitingFor: run.status === 'COMPLETED' || !current ? null : waitReason(current),
    steps: run.steps,
    createdAt: run.createdAt.toISOString(),
    createdBy: run.createdBy,
    impersonatedBy: run.impersonatedBy,
    updatedAt: run.updatedAt.toISOString(),
    completedAt: run.completedAt?.toISOString() ?? null,
    deadlineAt: run.deadlineAt.toISOString(),
    cancelledBy: run.cancelledBy,
    repeatedBy: run.repeatedBy,
    endsAs: run.endsAs,
  };
}

function waitReason({ phase, type }: StoredNodeRun): NodeRunAnswer['waitingFor'] {
  if (phase === 'WAIT_REPORT') return type === 'RUN_ACTION' ? 'action' : type === 'WAIT_FOR_EVENT' ? 'event' : 'report';
  if (phase === 'WAIT_RESPONSE') return 'response';
  if (phase === 'WAIT_CHILD') return 'child';
  return phase === 'WAIT_TIME' || phase === 'RETRY_AT' ? 'time' : null;
}

export interface Presenting {
  readonly database: Reader;
  readonly kinds: NodeKinds;
}

/** A run with its steps, as this caller sees it. */
export async function presentRun(
  deps: Presenting,
  actor: Actor,
  run: StoredWorkflowRun,
  include: readonly string[] = [],
): Promise<WorkflowRunAnswer> {
  const { database } = deps;
  const [workflow, nodeRuns] = await Promise.all([
    versionOfRun(database, actor.orgId, run),
    listNodeRunsOfRun(database, actor.orgId, run.id),
  ]);
  const forms = nodeRuns.filter(({ type }) => type === 'INPUT').map(({ id }) => id);
  const responses = forms.length === 0 ? [] : await listResponses(database, actor.orgId, forms);
  const answers = await Promise.all(
    nodeRuns.map((nodeRun) => presentOne(deps, actor, nodeRun, workflow, responses, include)),
  );
  return assemble(actor, run, workflow, nodeRuns, answers);
}

/** A run as its start left it. */
export async function presentNewRun(
  deps: Presenting,
  actor: Actor,
  run: StoredWorkflowRun,
  { workflow, nodeRuns }: { readonly workflow: StoredWorkflow; readonly nodeRuns: readonly StoredNodeRun[] },
): Promise<WorkflowRunAnswer> {
  const answers = await Promise.all(nodeRuns.map((nodeRun) => presentOne(deps, actor, nodeRun, workflow, [], [])));
  return assemble(actor, run, workflow, nodeRuns, answers);
}

function assemble(
  actor: Actor,
  run: StoredWorkflowRun,
  workflow: StoredWorkflow | undefined,
  nodeRuns: readonly StoredNodeRun[],
  answers: NodeRunAnswer[],
): WorkflowRunAnswer {
  const current = nodeRuns.find(({ id }) => id === run.atNodeRun);
  const forward = answers.filter(({ compensates }) => compensates === null);
  const outputs = Object.fromEntries(forward.map(({ node, output }) => [node.identifier, output]));
  return {
    ...presentSummary(run, current, workflow),
    nodeRuns: answers,
    variables: { outputs: { ...outputs, trigger: toJson(maskedTrigger(run, workflow)) } },
    mayCancel: mayCancelRun(actor, run),
    failedCompensations: failedCompensations(run, nodeRuns).map(({ id }) => id),
    graph: graphOf(workflow),
  };
}

/** A node run for programs and people, as this caller sees it. */
export async function presentNodeRun(
  deps: Presenting,
  actor: Actor,
  run: StoredWorkflowRun,
  nodeRun: StoredNodeRun,
  include: readonly string[] = [],
): Promise<NodeRunAnswer> {
  const workflow = await versionOfRun(deps.database, actor.orgId, run);
  const responses = nodeRun.type === 'INPUT' ? await listResponses(deps.database, actor.orgId, [nodeRun.id]) : [];
  return presentOne(deps, actor, nodeRun, workflow, responses, include);
}

async function presentOne(
  { database, kinds }: Presenting,
  actor: Actor,
  nodeRun: StoredNodeRun,
  workflow: StoredWorkflow | undefined,
  responses: readonly StoredResponse[],
  include: readonly string[],
): Promise<NodeRunAnswer> {
  const node = workflow && createGraph(workflow.definition).node(nodeRun.node);
  const hidden = encryptedIn(node);
  const own = responses.filter(({ nodeRunId }) => nodeRunId === nodeRun.id);
  const isEnded = nodeRun.phase === 'ENDED';
  return {
    identifier: nodeRun.id,
    node: {
      identifier: nodeRun.node,
      ...(include.includes('nodeConfig') && node ? { config: toJson(node.config) as Record<string, never> } : {}),
    },
    nodeTitle: node?.title ?? null,
    nodeIcon: node?.icon ?? null,
    nodeConfigType: nodeRun.type,
    status: isEnded ? 'COMPLETED' : 'IN_PROGRESS',
    result: nodeRun.result,
    output: toJson(withoutHiddenResponses(nodeRun.output ?? nodeRun.raw, hidden)),
    statusLabel: nodeRun.statusLabel,
    links: [...nodeRun.links],
    externalRunId: nodeRun.externalRunId,
    createdAt: nodeRun.createdAt.toISOString(),
    startedAt: nodeRun.startedAt?.toISOString() ?? null,
    updatedAt: (nodeRun.endedAt ?? nodeRun.acknowledgedAt ?? nodeRun.startedAt ?? nodeRun.createdAt).toISOString(),
    completedAt: nodeRun.endedAt?.toISOString() ?? null,
    workflowRunIdentifier: nodeRun.runId,
    step: nodeRun.step,
    reused: nodeRun.copiedFrom !== null,
    copiedFrom: nodeRun.copiedFrom,
    compensates: nodeRun.compensates,
    repeated: nodeRun.isRepeated,
    attempt: nodeRun.attempt,
    tries: nodeRun.tries,
    waitingFor: waitReason(nodeRun),
    dueAt: nodeRun.dueAt?.toISOString() ?? null,
    outlet: nodeRun.outlet,
    message: nodeRun.message ?? (await describeWait(database, actor.orgId, nodeRun)) ?? null,
    input: toJson(nodeRun.input),
    effect: effectOf(kinds, nodeRun),
    ...(nodeRun.type === 'INPUT' ? await presentForm(database, actor, nodeRun, node, own, hidden) : {}),
    ...(kinds[nodeRun.type]?.effect === 'children'
      ? { children: await presentChildren(database, actor.orgId, nodeRun.id) }
      : {}),
    installationId: nodeRun.installationId,
    acknowledgedAt: nodeRun.acknowledgedAt?.toISOString() ?? null,
  };
}

const atAction: Readonly<Record<string, string>> = {
  DRAFT: 'it is a draft on which a person decides',
  WAITING_FOR_APPROVAL: 'it waits for approval',
  IN_PROGRESS: 'it is in progress',
};

/** What a step waits for of which the state of something else says more. */
async function describeWait(reader: Reader, orgId: string, nodeRun: StoredNodeRun): Promise<string | undefined> {
  if (nodeRun.type !== 'RUN_ACTION' || nodeRun.phase === 'ENDED' || nodeRun.externalRunId === null) return undefined;
  const run = await findActionRun(reader, orgId, nodeRun.externalRunId);
  const state = run && atAction[run.status];
  return state && `Waits for the run ${run.id} of the action "${run.actionIdentifier}": ${state}`;
}

/** Runs that a step begins are begun once, in the transaction of the step. */
function effectOf(kinds: NodeKinds, { type }: StoredNodeRun): NodeRunAnswer['effect'] {
  const effect = kinds[type]?.effect ?? 'none';
  return effect === 'children' ? 'ours' : effect;
}

const childrenShown = 100;

async function presentChildren(
  reader: Reader,
  orgId: string,
  nodeRunId: string,
): Promise<NonNullable<NodeRunAnswer['children']>> {
  const children = await listChildren(reader, orgId, nodeRunId);
  const completed = children.filter(({ status }) => status === 'COMPLETED');
  return {
    total: children.length,
    completed: completed.length,
    failed: completed.filter(({ result }) => result !== 'SUCCESS').length,
    runs: children
      .slice(0, childrenShown)
      .map(({ id, itemIndex, status, result }) => ({ identifier: id, index: itemIndex, status, result })),
  };
}

async function presentForm(
  reader: Reader,
  actor: Actor,
  nodeRun: StoredNodeRun,
  node: WorkflowNode | undefined,
  responses: readonly StoredResponse[],
  hidden: readonly string[],
): Promise<Pick<NodeRunAnswer, 'responders' | 'responses'>> {
  const given = (button: string) => responses.filter((each) => each.button === button).length;
  const hasAnswered = responses.some(({ responder }) => responder === (actor.userId ?? actor.id));
  const { users = [], roles = [], teams = [] } = nodeRun.responders ?? {};
  return {
    responders: {
      users: [...users],
      roles: [...roles],
      teams: [...teams],
      mayRespond: !hasAnswered && (await mayRespond(reader, actor, nodeRun)),
      buttons: (node ? outletsOfInput(node) : []).map(({ identifier, needed }) => ({
        identifier,
        needed,
        given: given(identifier),
      })),
    },
    responses: responses.map(({ responder, button, inputs, respondedAt }) => ({
      buttonIdentifier: button,
      inputs: toJson(without(inputs, hidden)) as Record<string, never>,
      submitterInfo: { submittedBy: responder },
      respondedAt: respondedAt.toISOString(),
    })),
  };
}

function graphOf(workflow: StoredWorkflow | undefined): WorkflowRunAnswer['graph'] {
  if (!workflow) return null;
  const { nodes, connections } = workflow.definition;
  return {
    nodes: nodes.map(({ identifier, title, icon, config }) => ({
      identifier,
      title: title ?? null,
      icon: icon ?? null,
      type: config.type,
    })),
    connections: connections.map((each) => ({
      sourceIdentifier: each.sourceIdentifier,
      targetIdentifier: each.targetIdentifier,
      sourceOutletIdentifier: each.sourceOutletIdentifier ?? null,
      fallback: each.fallback ?? false,
    })),
  };
}

function encryptedIn(node: WorkflowNode | undefined): readonly string[] {
  const form = node?.config['userInputs'];
  return isRecord(form) && isRecord(form['properties']) ? encryptedInputs(form as never) : [];
}

function maskedTrigger(run: StoredWorkflowRun, workflow: StoredWorkflow | undefined): Values {
  const node = workflow && createGraph(workflow.definition).node(run.triggerNode);
  return Object.fromEntries(
    Object.entries(run.trigger).map(([key, value]) => [
      key,
      value !== null && encryptedIn(node).includes(key) ? hiddenText : value,
    ]),
  );
}

function withoutHiddenResponses(output: unknown, hidden: readonly string[]): unknown {
  if (hidden.length === 0 || !isRecord(output) || !Array.isArray(output['responses'])) return output;
  const responses = output['responses'].map((each) =>
    isRecord(each) && isRecord(each['inputs']) ? { ...each, inputs: without(each['inputs'], hidden) } : each,
  );
  return { ...output, responses };
}

function without(values: Values, hidden: readonly string[]): Values {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !hidden.includes(key)));
}

/** What was stored came from JSON. */
function toJson(value: unknown): NodeRunAnswer['output'] {
  return (value ?? null) as NodeRunAnswer['output'];
}
