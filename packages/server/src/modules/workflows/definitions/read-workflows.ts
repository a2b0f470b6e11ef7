import type { SelfServiceWorkflowTrigger } from '@portolan/contract/workflows';
import type { Actor } from '../../../platform/actor.ts';
import { notFound } from '../../../platform/errors.ts';
import type { DefinitionsDeps } from './definitions.deps.ts';
import { publishedForms, startRights } from './trigger-rights.ts';
import { findCurrent, findVersion, listCurrent, listVersions, type VersionRow } from './workflow.store.ts';
import type { StoredWorkflow, WorkflowNode } from './workflow.ts';

/** The workflows that the actor may run or change, oldest first. */
export async function listWorkflows(deps: DefinitionsDeps, actor: Actor): Promise<StoredWorkflow[]> {
  const rights = await startRights(deps, deps.database, actor);
  const seen: StoredWorkflow[] = [];
  for (const workflow of await listCurrent(deps.database, actor.orgId)) {
    if (await rights.maySee(workflow)) seen.push(workflow);
  }
  return seen;
}

/** @throws AppError `not_found` if there is none, or none that the actor may run or change */
export async function getWorkflow(deps: DefinitionsDeps, actor: Actor, identifier: string): Promise<StoredWorkflow> {
  const workflow = await findCurrent(deps.database, actor.orgId, identifier);
  if (!workflow) throw notFound('Workflow', identifier);
  const rights = await startRights(deps, deps.database, actor, [workflow.key]);
  if (!(await rights.maySee(workflow))) throw notFound('Workflow', identifier);
  return workflow;
}

/** @throws AppError as `getWorkflow`, and `not_found` for the version */
export async function getWorkflowVersion(
  deps: DefinitionsDeps,
  actor: Actor,
  identifier: string,
  version: number,
): Promise<StoredWorkflow> {
  const { key } = await getWorkflow(deps, actor, identifier);
  const found = await findVersion(deps.database, actor.orgId, key, version);
  if (!found) throw notFound('Version', String(version), 'number');
  return found;
}

/** Newest first. @throws AppError as `getWorkflow` */
export async function listWorkflowVersions(
  deps: DefinitionsDeps,
  actor: Actor,
  identifier: string,
  limit: number,
): Promise<readonly VersionRow[]> {
  const { key } = await getWorkflow(deps, actor, identifier);
  return listVersions(deps.database, actor.orgId, key, limit);
}

/** @throws AppError as `getWorkflow`, and `not_found` for the node */
export async function getWorkflowNode(
  deps: DefinitionsDeps,
  actor: Actor,
  identifier: string,
  node: string,
): Promise<WorkflowNode> {
  return nodeIn(await getWorkflow(deps, actor, identifier), node);
}

/** @throws AppError `not_found` */
export function nodeIn({ definition }: StoredWorkflow, identifier: string): WorkflowNode {
  const node = definition.nodes.find((each) => each.identifier === identifier);
  if (!node) throw notFound('Node', identifier);
  return node;
}

/** The forms by which the actor may start a workflow. */
export async function listSelfServiceTriggers(
  deps: DefinitionsDeps,
  actor: Actor,
): Promise<SelfServiceWorkflowTrigger[]> {
  const rights = await startRights(deps, deps.database, actor);
  const open: SelfServiceWorkflowTrigger[] = [];
  for (const workflow of await listCurrent(deps.database, actor.orgId)) {
    for (const node of publishedForms(workflow)) {
      if (await rights.mayStart(workflow, node)) open.push(presentTrigger(workflow, node));
    }
  }
  return open;
}

function presentTrigger({ definition, identifier, version }: StoredWorkflow, node: WorkflowNode) {
  const { config, title, icon, description } = node;
  return {
    workflowIdentifier: identifier,
    nodeIdentifier: node.identifier,
    workflow: {
      identifier,
      title: definition.title,
      icon: definition.icon,
      description: definition.description,
      category: definition.category,
      version,
    },
    title,
    icon,
    description,
    userInputs: config['userInputs'] ?? { properties: {} },
    contexts: config['contexts'] ?? [],
    variant: config['variant'],
    actionCardButtonText: config['actionCardButtonText'],
    executeActionButtonText: config['executeActionButtonText'],
  } as SelfServiceWorkflowTrigger;
}
