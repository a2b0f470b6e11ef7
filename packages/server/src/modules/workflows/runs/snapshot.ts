import { type Actor, systemActor } from '../../../platform/actor.ts';
import type { Reader } from '../../../platform/db/database.ts';
import { actWith, authorityToday } from '../../accounts/index.ts';
import { findOrganization } from '../../organizations/index.ts';
import { atBody } from '../definitions/bodies.ts';
import { findVersion, findVersionAndModel } from '../definitions/workflow.store.ts';
import type { StoredWorkflow, WorkflowNode } from '../definitions/workflow.ts';
import type { NodeCall } from '../nodes/node-kind.ts';
import { withReadAuthors } from '../nodes/read-authors.ts';
import type { RunState } from './machine.ts';
import { type EndedSteps, findNodeRun, hasFailedAndGoesOn, readEndedSteps } from './node-run.store.ts';
import { readTrigger } from './read-trigger.ts';
import { findWorkflowRun } from './run.store.ts';
import type { RunsDeps } from './runs.deps.ts';
import type { StoredNodeRun, StoredWorkflowRun } from './workflow-run.ts';

/** What a transition is planned with. A run that moved on meanwhile refuses it at the commit. */
export interface Snapshot {
  readonly run: StoredWorkflowRun;
  /** The node run at which it is. */
  readonly nodeRun: StoredNodeRun | null;
}

export async function readSnapshot(reader: Reader, orgId: string, runId: string): Promise<Snapshot | undefined> {
  const run = await findWorkflowRun(reader, orgId, runId);
  if (!run) return undefined;
  const nodeRun = run.atNodeRun === null ? null : ((await findNodeRun(reader, orgId, run.atNodeRun)) ?? null);
  return { run, nodeRun };
}

/** The run of a node run, if it is there. */
export async function readSnapshotAt(reader: Reader, orgId: string, nodeRunId: string): Promise<Snapshot | undefined> {
  const nodeRun = await findNodeRun(reader, orgId, nodeRunId);
  return nodeRun && readSnapshot(reader, orgId, nodeRun.runId);
}

export function toState({ run, nodeRun }: Snapshot): RunState {
  const { status, result, cancel, endsAs } = run;
  const token = nodeRun && { id: nodeRun.id, phase: nodeRun.phase, result: nodeRun.result, outlet: nodeRun.outlet };
  return { status, result, cancel, endsAs, token };
}

/** The platform keeping the record of a run; it carries out nothing that people wrote. */
export async function bookkeeper(reader: Reader, orgId: string, run: StoredWorkflowRun): Promise<Actor | undefined> {
  const organization = await findOrganization(reader, orgId);
  return organization && bookkeeperWith(orgId, organization.model, run);
}

function bookkeeperWith(orgId: string, model: Actor['model'], run: StoredWorkflowRun): Actor {
  return { ...systemActor(orgId, model), runId: run.id };
}

/** What a run follows for life: a version, or a body that stands inside it. */
export async function versionOfRun(
  reader: Reader,
  orgId: string,
  run: StoredWorkflowRun,
): Promise<StoredWorkflow | undefined> {
  const version = await findVersion(reader, orgId, run.workflowKey, run.version);
  return version && atBody(version, run.body);
}

interface Step {
  readonly run: StoredWorkflowRun;
  readonly nodeRun: StoredNodeRun;
  readonly node: WorkflowNode;
  readonly signal: AbortSignal;
}

interface CallQuestion extends Step {
  readonly orgId: string;
  readonly workflow: StoredWorkflow;
}

type Authority = Awaited<ReturnType<typeof authorityToday>>;

/** What a node may read and as whom it acts, as of now; a sentence where nobody stands behind it. */
export async function buildCall(
  deps: RunsDeps,
  question: CallQuestion,
): Promise<NodeCall | { readonly problem: string }> {
  const { orgId, run, workflow } = question;
  const { database } = deps;
  const [organization, authority, trigger, { outputs }] = await Promise.all([
    findOrganization(database, orgId),
    authorityToday(database, orgId, run.authority),
    readTrigger(database, orgId, run, workflow),
    readEndedSteps(database, orgId, run.compensates ?? run.id),
  ]);
  return callWith(deps, question, { orgId, workflow, model: organization?.model, authority, trigger, outputs });
}

/** What stays the same for a run while one job takes it along; outputs grow with the steps of the job. */
export interface RunReading {
  readonly bookkeeper: Actor;
  readonly workflow: StoredWorkflow | undefined;
  /** Asked once, by the first step that computes here. */
  readonly authority: () => Promise<Authority>;
  /** What the trigger gave. */
  readonly trigger: StoredWorkflowRun['trigger'];
  readonly outputs: Record<string, unknown>;
  /** Steps that failed though the run went on. */
  failedSteps: number;
}

const nothingEnded: EndedSteps = { outputs: {}, failedSteps: 0 };

/** Undefined if the organization is gone. */
export async function readForRun(
  { database }: RunsDeps,
  orgId: string,
  run: StoredWorkflowRun,
): Promise<RunReading | undefined> {
  // one that takes steps over from another has them from its first state on
  const isNew = run.rev === 0 && run.rerunOf === null && run.compensates === null;
  const [version, ended] = await Promise.all([
    findVersionAndModel(database, orgId, run.workflowKey, run.version),
    isNew ? nothingEnded : readEndedSteps(database, orgId, run.compensates ?? run.id),
  ]);
  const actor = version ? bookkeeperWith(orgId, version.model, run) : await bookkeeper(database, orgId, run);
  if (!actor) return undefined;
  const workflow = version && atBody(version, run.body);
  const trigger = workflow ? await readTrigger(database, orgId, run, workflow) : run.trigger;
  return {
    bookkeeper: actor,
    workflow,
    authority: askOnce(database, orgId, run),
    trigger,
    outputs: { ...ended.outputs },
    failedSteps: ended.failedSteps,
  };
}

/** The same of a run that is being started by this version, and has nothing yet but what its trigger gave. */
export function readForStart(
  { database }: Pick<RunsDeps, 'database'>,
  { orgId, model }: Actor,
  run: StoredWorkflowRun,
  workflow: StoredWorkflow,
): RunReading {
  return {
    bookkeeper: bookkeeperWith(orgId, model, run),
    workflow,
    authority: askOnce(database, orgId, run),
    trigger: run.trigger,
    outputs: {},
    failedSteps: 0,
  };
}

function askOnce(reader: Reader, orgId: string, { authority }: StoredWorkflowRun): RunReading['authority'] {
  let asked: Promise<Authority> | undefined;
  return () => {
    asked ??= authorityToday(reader, orgId, authority);
    return asked;
  };
}

/** Keeps what a step gave for the steps after it, as the database gives it back. */
export function keepOutput(reading: RunReading, { nodeRun }: Snapshot): void {
  if (nodeRun?.phase !== 'ENDED' || nodeRun.compensates !== null) return;
  const kept = nodeRun.output ?? nodeRun.raw ?? null;
  reading.outputs[nodeRun.node] = JSON.parse(JSON.stringify(kept));
  if (hasFailedAndGoesOn(nodeRun)) reading.failedSteps += 1;
}

/** The call of a step of the job; what reads or writes here asks anew for whom it may act. */
export async function callInJob(
  deps: RunsDeps,
  reading: RunReading & { readonly workflow: StoredWorkflow },
  step: Step,
): Promise<NodeCall | { readonly problem: string }> {
  const {
    bookkeeper: { orgId, model },
    workflow,
    trigger,
    outputs,
  } = reading;
  const kind = deps.kinds[step.node.config.type];
  const onlyComputes = kind === undefined || (kind.effect === 'none' && kind.computes === true);
  const authority = onlyComputes
    ? await reading.authority()
    : await authorityToday(deps.database, orgId, step.run.authority);
  return callWith(deps, step, { orgId, workflow, model, authority, trigger, outputs: { ...outputs } });
}

interface CallFacts {
  readonly orgId: string;
  readonly workflow: StoredWorkflow;
  readonly model: Actor['model'] | undefined;
  readonly authority: Authority;
  readonly trigger: StoredWorkflowRun['trigger'];
  readonly outputs: Readonly<Record<string, unknown>>;
}

function callWith(
  deps: Pick<RunsDeps, 'clock'>,
  { run, nodeRun, node, signal }: Step,
  { orgId, workflow, model, authority, trigger, outputs: ended }: CallFacts,
): NodeCall | { readonly problem: string } {
  if (model === undefined || !authority) {
    return {
      problem: `Nobody stands behind version ${run.version} of the workflow "${run.workflowIdentifier}" any more: "${run.authority.by.id}", who saved it, was removed or disabled. Somebody who may do what it does has to save it again`,
    };
  }
  const actor = actWith(authority, {
    orgId,
    model,
    id: run.createdBy,
    datasource: 'portolan',
    origin: run.createdByKind === 'system' ? 'AUTOMATION' : 'API',
    runId: run.id,
    depth: run.depth,
  });
  const outputs = { ...ended, trigger };
  const carrier = { ...actor, carriedAuthors: run.textAuthors };
  return withReadAuthors({
    workflow,
    run,
    nodeRun,
    node,
    outputs,
    actor: carrier,
    now: deps.clock.now(),
    signal,
  });
}
