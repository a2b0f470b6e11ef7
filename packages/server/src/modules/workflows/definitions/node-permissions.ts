import { isRecord } from '@portolan/contract/json-value';
import type { NodePermissions } from '@portolan/contract/workflow-nodes';
import type { Actor } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import { checkDefinition } from './check-definition.ts';
import type { DefinitionsDeps } from './definitions.deps.ts';
import { getWorkflow, nodeIn } from './read-workflows.ts';
import { readPermissions } from './trigger-rights.ts';
import type { WorkflowDefinition, WorkflowNode } from './workflow.ts';
import { changeWithin, invalidWorkflow } from './write-workflows.ts';

/** Who may start a workflow by a form. @throws AppError `not_found`, `invalid_workflow` for a node without a form */
export async function readNodePermissions(
  deps: DefinitionsDeps,
  actor: Actor,
  identifier: string,
  node: string,
): Promise<NodePermissions> {
  return permissionsOfForm(nodeIn(await getWorkflow(deps, actor, identifier), node));
}

/**
 * Saves a version in which other people may start the workflow by this form.
 * @throws AppError as `replaceWorkflow`
 */
export function writeNodePermissions(
  { unitOfWork }: DefinitionsDeps,
  actor: Actor,
  identifier: string,
  node: string,
  change: (before: NodePermissions) => NodePermissions | undefined,
): Promise<NodePermissions> {
  return unitOfWork(actor, async (work) => {
    const saved = await changeWithin(work, identifier, (workflow) => {
      const after = change(permissionsOfForm(nodeIn(workflow, node)));
      return withPermissions(workflow.definition, node, after);
    });
    return permissionsOfForm(nodeIn(saved, node));
  });
}

/** What is sent replaces what is there, member by member, in a policy too; null takes it away. */
export function mergePermissions(before: NodePermissions, change: NodePermissions): NodePermissions {
  return merged(before, change) as NodePermissions;
}

function merged(before: unknown, change: unknown): unknown {
  if (!isRecord(before) || !isRecord(change)) return change;
  const entries = Object.entries(change).map(([key, value]) => [key, merged(before[key], value)] as const);
  const all = { ...before, ...Object.fromEntries(entries) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null && value !== undefined));
}

function permissionsOfForm(node: WorkflowNode): NodePermissions {
  if (node.config.type === 'SELF_SERVE_TRIGGER') return readPermissions(node) as NodePermissions;
  const message = `"${node.identifier}" is a ${node.config.type}: only a SELF_SERVE_TRIGGER has permissions`;
  throw new AppError('invalid_workflow', message);
}

function withPermissions(
  definition: WorkflowDefinition,
  name: string,
  permissions: NodePermissions | undefined,
): WorkflowDefinition {
  const nodes = definition.nodes.map((node) => {
    if (node.identifier !== name) return node;
    const { permissions: _before, ...config } = node.config;
    return { ...node, config: permissions === undefined ? config : { ...config, permissions } };
  });
  const checked = checkDefinition({ ...definition, nodes });
  if (checked.faults.length > 0) throw invalidWorkflow(checked.faults);
  return checked.definition;
}
