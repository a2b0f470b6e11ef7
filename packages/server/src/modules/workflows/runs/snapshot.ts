import { type Actor, systemActor } from '../../../platform/actor.ts';
import type { Reader } from '../../../platform/db/database.ts';
import { actWith, authorityToday } from '../../accounts/index.ts';
import { findOrganization } from '../../organizations/index.ts';
import { atBody } from '../definitions/bodies.ts';
import { findVersion } from '../definitions/workflow.store.ts';
import type { StoredWorkflow, WorkflowNode } from '../definitions/workflow.ts';
import type { NodeCall } from '../nodes/node-kind.ts';
import type { RunState } from './machine.ts';
import { readTrigger } from './read-trigger.ts';
import { findNodeRun, readOutputs } from './node-run.store.ts';
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
  const { status, result, cancel } = run;
  const token = nodeRun && { id: nodeRun.id, phase: nodeRun.phase, result: nodeRun.result, outlet: nodeRun.outlet };
  return { status, result, cancel, token };
}

/** The platform keeping the record of a run; it carries out nothing that people wrote. */
export async function bookkeeper(reader: Reader, orgId: string, run: StoredWorkflowRun): Promise<Actor | undefined> {
  const organization = await findOrganization(reader, orgId);
  return organization && { ...systemActor(orgId, organization.model), runId: run.id };
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

interface CallQuestion {
  readonly orgId: string;
  readonly run: StoredWorkflowRun;
  readonly nodeRun: StoredNodeRun;
  readonly workflow: StoredWorkflow;
  readonly node: WorkflowNode;
  readonly signal: AbortSignal;
}

/** What a node may read and as whom it acts, as of now; a sentence where nobody stands behind it. */
export async function buildCall(
  deps: RunsDeps,
  question: CallQuestion,
): Promise<NodeCall | { readonly problem: string }> {
  const { orgId, run, nodeRun, workflow, node, signal } = question;
  const { database } = deps;
  const [organization, authority, ended] = await Promise.all([
    findOrganization(database, orgId),
    authorityToday(database, orgId, run.authority),
    readOutputs(database, orgId, run.id),
  ]);
  if (!organization || !authority) {
    return {
      problem: `Nobody stands behind version ${run.version} of the workflow "${run.workflowIdentifier}" any more: "${run.authority.by.id}", who saved it, was removed or disabled. Somebody who may do what it does has to save it again`,
    };
  }
  const actor = actWith(authority, {
    orgId,
    model: organization.model,
    id: run.createdBy,
    datasource: 'portolan',
    origin: run.createdByKind === 'system' ? 'AUTOMATION' : 'API',
    runId: run.id,
    depth: run.depth,
  });
  const outputs = { ...ended, trigger: await readTrigger(database, orgId, run, workflow) };
  const carriedAuthors = run.textAuthors;
  return { workflow, run, nodeRun, node, outputs, actor: { ...actor, carriedAuthors }, now: deps.clock.now(), signal };
}
