import { z } from 'zod';
import type { Actor } from '../../../platform/actor.ts';
import { notFound } from '../../../platform/errors.ts';
import { createGrowingCache } from '../../../platform/growing-cache.ts';
import { mergeAuthors } from '../../../platform/text-authors.ts';
import type { RegisteredTool } from '../../../platform/tools/registry.ts';
import { type ToolDeclaration, tool } from '../../../platform/tools/tool.ts';
import { startPrefix, startToolName, type ToolSource } from '../../../platform/tools/tool-source.ts';
import { type ActionForm, line, readArguments, toolForm } from '../../actions/index.ts';
import { triggerForm } from '../definitions/start-form.ts';
import { publishedForms, startRights } from '../definitions/trigger-rights.ts';
import { listCurrent } from '../definitions/workflow.store.ts';
import type { StoredWorkflow, WorkflowNode } from '../definitions/workflow.ts';
import { deletesEntities } from './form-facts.ts';
import { startByTool, type ToolStartDeps } from './start-by-tool.ts';
import { nameForm } from './trigger-name.ts';

/** One tool for many forms. */
const gatheredName = 'run_workflow';
const formsMax = 1_000;
const keptMax = 5_000;
const listBytesMax = 12_000;

interface FormTool {
  readonly tool: RegisteredTool;
  readonly form: ActionForm;
  readonly workflow: StoredWorkflow;
  readonly node: WorkflowNode;
  readonly name: string;
}

/**
 * A tool for each form by which the caller may start a workflow. Patterns match the literal `run_<workflow>`, or
 * `run_<workflow>.<node>` where a workflow has several forms; models see a safe form of it.
 */
export function formToolSource(deps: ToolStartDeps): ToolSource {
  const made = createGrowingCache<FormTool>(keptMax);
  const byTool = new WeakMap<RegisteredTool, FormTool>();

  const toTool = (orgId: string, workflow: StoredWorkflow, node: WorkflowNode): FormTool => {
    const key = JSON.stringify([orgId, workflow.versionId, node.identifier]);
    const known = made.get(key);
    if (known) return known;
    const fresh = formTool(deps, workflow, node);
    made.set(key, fresh);
    byTool.set(fresh.tool, fresh);
    return fresh;
  };

  const list = async (actor: Actor): Promise<readonly FormTool[]> => {
    const workflows = await listCurrent(deps.database, actor.orgId);
    if (workflows.length === 0) return [];
    const rights = await startRights(deps, deps.database, actor);
    const open: FormTool[] = [];
    for (const workflow of workflows) {
      for (const node of publishedForms(workflow)) {
        if (await rights.mayStart(workflow, node)) open.push(toTool(actor.orgId, workflow, node));
      }
    }
    return open.sort((left, right) => (left.name < right.name ? -1 : 1)).slice(0, formsMax);
  };

  return {
    prefix: startPrefix,
    list: async (actor) => (await list(actor)).map((each) => each.tool),
    find: async (actor, name) => (await list(actor)).find((each) => each.tool.declaration.name === name)?.tool,
    gathered: {
      name: gatheredName,
      of: (tools) =>
        gatheredTool(
          deps,
          tools.flatMap((each) => byTool.get(each) ?? []),
        ),
    },
  };
}

export const startsWorkflows = {
  // what its steps do outside is unknown
  effect: 'destructive',
  audience: 'developer',
  scope: 'execute:actions',
  // ids, states and addresses
  texts: 'none',
} as const satisfies Partial<ToolDeclaration>;

function formTool(deps: ToolStartDeps, workflow: StoredWorkflow, node: WorkflowNode): FormTool {
  const form = toolForm(triggerForm(node));
  const plain = nameForm(workflow, node.identifier);
  const name = startToolName(plain);
  const verbatim = startPrefix + plain;
  const target = { id: workflow.id, identifier: workflow.identifier, node: node.identifier };
  const declaration = tool({
    ...startsWorkflows,
    name,
    ...(name === verbatim ? {} : { matchedAs: verbatim }),
    title: titleOf(workflow, node),
    description: describe(workflow, node),
    describedBy: workflow.textAuthors,
    input: z.record(z.string(), z.unknown()),
    run: (context, given) => startByTool(deps, context, target, { inputs: readArguments(form, given).properties }),
  });
  return { tool: { declaration, inputSchema: form.schema }, form, workflow, node, name: plain };
}

function titleOf({ definition, identifier }: StoredWorkflow, node: WorkflowNode): string {
  const own = publishedForms({ definition }).length > 1 ? line(node.title, 100) : '';
  return own || line(definition.title, 100) || line(identifier, 100);
}

function describe(workflow: StoredWorkflow, node: WorkflowNode): string {
  const about = line(node.description, 300) || line(workflow.definition.description, 300);
  const deletes = deletesEntities(workflow.definition);
  return `${titleOf(workflow, node)}${about === '' ? '' : `: ${about}`}\n${deletes ? 'Deletes: starts' : 'Starts'} the workflow "${line(workflow.identifier, 100)}".`;
}

const gatheredInput = z.strictObject({
  workflow: z.string().min(1).max(200).describe('One of the workflows named above'),
  inputs: z.record(z.string(), z.unknown()).default({}).describe('Its inputs by their keys'),
});

/** A tool that starts any of these workflows, and no other. */
function gatheredTool(deps: ToolStartDeps, members: readonly FormTool[]): RegisteredTool {
  const byName = new Map(members.map((member) => [member.name, member]));
  const declaration = tool({
    ...startsWorkflows,
    name: gatheredName,
    stands: 'for-many',
    title: 'Start a workflow',
    description: `Starts one of these workflows (inputs in brackets, those with * are required):\n${listed(members)}`,
    describedBy: mergeAuthors(...members.map(({ workflow }) => workflow.textAuthors)),
    input: gatheredInput,
    run: (context, { workflow: name, inputs }) => {
      const member = byName.get(name);
      if (!member) return Promise.reject(notFound('Workflow', name));
      const { workflow, node } = member;
      return startByTool(deps, context, { ...workflow, node: node.identifier }, { inputs });
    },
  });
  const inputSchema = {
    type: 'object',
    properties: {
      workflow: { type: 'string', description: 'One of the workflows named above' },
      inputs: { type: 'object', description: 'Its inputs by their keys' },
    },
    required: ['workflow'],
    additionalProperties: false,
  };
  return { declaration, inputSchema };
}

function listed(members: readonly FormTool[]): string {
  let text = '';
  let left = members.length;
  for (const { form, workflow, node, name } of members) {
    const required = new Set((form.schema['required'] as string[] | undefined) ?? []);
    const inputs = [...form.keyOf].map(([argument, key]) => `${key}${required.has(argument) ? '*' : ''}`).join(', ');
    const next = `- ${name} (${line(inputs, 300)}): ${titleOf(workflow, node)}\n`;
    if (text.length + next.length > listBytesMax) break;
    text += next;
    left -= 1;
  }
  return left === 0 ? text : `${text}- and ${left} more, by their identifiers`;
}
