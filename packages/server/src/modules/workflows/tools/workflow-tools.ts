import { z } from 'zod';
import type { Actor } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import { definition } from '../../../platform/tools/definition.ts';
import { pageArguments, pageOfAll } from '../../../platform/tools/page.ts';
import { type ToolDeclaration, tool } from '../../../platform/tools/tool.ts';
import type { DefinitionsDeps } from '../definitions/definitions.deps.ts';
import { presentWorkflow } from '../definitions/present-workflow.ts';
import { getWorkflow, listSelfServiceTriggers, listWorkflows } from '../definitions/read-workflows.ts';
import { findCurrent } from '../definitions/workflow.store.ts';
import type { StoredWorkflow } from '../definitions/workflow.ts';
import { createWorkflow, deleteWorkflow, replaceWorkflow } from '../definitions/write-workflows.ts';
import { getDraft } from '../drafts/read-drafts.ts';
import { explainRun } from '../runs/explain-run.ts';
import { presentRun } from '../runs/present-run.ts';
import { getRun } from '../runs/read-runs.ts';
import type { RunsDeps } from '../runs/runs.deps.ts';
import { startsWorkflows } from './form-tools.ts';
import { startByTool, type ToolStartDeps } from './start-by-tool.ts';

const identifier = z.string().min(1).max(200).describe('Identifier of the workflow');

/** Tools on workflows and their runs. Those that start one form each come from a source. */
export function workflowTools(deps: ToolStartDeps, runs: RunsDeps): ToolDeclaration[] {
  return [
    listTool(deps),
    getTool(deps),
    listTriggersTool(deps),
    triggerTool(deps),
    getRunTool(deps, runs),
    explainRunTool(deps, runs),
    ...builderTools(deps),
  ];
}

function noteTexts({ textsRead }: Actor, shown: readonly StoredWorkflow[]): void {
  for (const { identifier: name, textAuthors } of shown) textsRead?.add(textAuthors, `the workflow ${name}`);
}

function listTool(deps: DefinitionsDeps): ToolDeclaration {
  return tool({
    name: 'list_workflows',
    title: 'List workflows',
    description: 'Lists the workflows that the caller may start or change, in short form.',
    effect: 'read',
    scope: 'read:actions',
    audience: 'builder',
    texts: 'noted',
    input: z.strictObject({ ...pageArguments }),
    run: async ({ actor }, page) => {
      const { items, ...rest } = pageOfAll(await listWorkflows(deps, actor), (each) => each.identifier, page);
      noteTexts(actor, items);
      return { ...rest, workflows: items.map(shortForm) };
    },
  });
}

function shortForm({ identifier: name, version, definition: written }: StoredWorkflow) {
  const { title, description, category, nodes } = written;
  const triggers = nodes.filter(({ config }) => config.type.endsWith('_TRIGGER'));
  return {
    identifier: name,
    ...(title ? { title } : {}),
    ...(description ? { description } : {}),
    ...(category ? { category } : {}),
    version,
    triggers: triggers.map(({ config }) => config.type),
    steps: nodes.length - triggers.length,
  };
}

function getTool(deps: DefinitionsDeps): ToolDeclaration {
  return tool({
    name: 'get_workflow',
    title: 'Get a workflow',
    description: 'Returns the definition of one workflow: triggers, steps and connections.',
    effect: 'read',
    scope: 'read:actions',
    audience: 'builder',
    texts: 'noted',
    input: z.strictObject({ identifier }),
    run: async ({ actor }, input) => {
      const workflow = await getWorkflow(deps, actor, input.identifier);
      noteTexts(actor, [workflow]);
      return { workflow: presentWorkflow(workflow) };
    },
  });
}

/** Forms of one answer. */
const pageSize = 50;

function listTriggersTool(deps: DefinitionsDeps): ToolDeclaration {
  return tool({
    name: 'list_self_service_triggers',
    title: 'List workflows to start',
    description: 'Lists workflows that the caller may start, with their inputs.',
    effect: 'read',
    scope: 'read:actions',
    audience: 'developer',
    texts: 'noted',
    input: z.strictObject({ cursor: pageArguments.cursor }),
    run: async ({ actor }, { cursor }) => {
      const all = await listSelfServiceTriggers(deps, actor);
      const named = (each: (typeof all)[number]) => `${each.workflowIdentifier}.${each.nodeIdentifier}`;
      const { items, ...rest } = pageOfAll(all, named, { limit: pageSize, cursor });
      const authors = new Map((await listWorkflows(deps, actor)).map((each) => [each.identifier, each]));
      noteTexts(
        actor,
        items.flatMap((each) => authors.get(each.workflowIdentifier) ?? []),
      );
      return {
        ...rest,
        triggers: items.map(({ workflow, workflowIdentifier, nodeIdentifier, title, description, userInputs }) => ({
          workflowIdentifier,
          nodeIdentifier,
          title: title ?? workflow.title ?? workflowIdentifier,
          ...((description ?? workflow.description) ? { description: description ?? workflow.description } : {}),
          userInputs,
        })),
      };
    },
  });
}

function triggerTool(deps: ToolStartDeps): ToolDeclaration {
  return tool({
    ...startsWorkflows,
    name: 'trigger_run',
    title: 'Start a workflow by its name',
    description:
      'Starts a workflow by one of its forms; list_self_service_triggers has them. Where a person has to approve it first, it answers a draft.',
    runsWhatIsNamed: true,
    input: z.strictObject({
      type: z.literal('WORKFLOW').default('WORKFLOW'),
      workflowIdentifier: identifier,
      nodeIdentifier: z.string().min(1).max(200).optional().describe('Needed where it has several forms'),
      inputs: z.record(z.string(), z.unknown()).default({}),
      executionMode: z.enum(['Automatic', 'Manual Approval']).optional(),
    }),
    run: (context, { workflowIdentifier, nodeIdentifier, inputs, executionMode }) =>
      startByTool(
        deps,
        context,
        { identifier: workflowIdentifier, node: nodeIdentifier },
        { inputs, asksForPerson: executionMode === 'Manual Approval' },
      ),
  });
}

function getRunTool(deps: DefinitionsDeps, runs: RunsDeps): ToolDeclaration {
  return tool({
    name: 'get_workflow_run',
    title: 'Follow a run of a workflow',
    description: 'Returns the state of a run of a workflow and its steps, or that it waits for an approval.',
    effect: 'read',
    scope: 'read:runs',
    audience: 'developer',
    input: z.strictObject({ runId: z.string().min(1).max(200).describe('Like wfr_0123') }),
    run: async ({ actor }, { runId }) => {
      const found = await findRun(deps, actor, runId);
      if (!found) {
        const { state, inputs, expiresAt, reason, comment } = await getDraft(deps, actor, runId);
        return { run: { identifier: runId, status: state, inputs, expiresAt, reason, comment } };
      }
      const {
        graph: _,
        mayCancel: __,
        failedCompensations: ___,
        variables,
        nodeRuns,
        ...run
      } = await presentRun(runs, actor, found);
      const steps = nodeRuns.map((each) => ({
        identifier: each.identifier,
        node: each.node.identifier,
        type: each.nodeConfigType,
        status: each.status,
        result: each.result,
        ...(each.message === null ? {} : { message: each.message }),
        ...(each.waitingFor === null ? {} : { waitingFor: each.waitingFor }),
        output: shortened(each.output),
        ...(each.links.length === 0 ? {} : { links: each.links }),
      }));
      const outputs = variables.outputs as Readonly<Record<string, unknown>>;
      return { run: { ...run, inputs: shortened(outputs['trigger']), steps } };
    },
  });
}

function explainRunTool(deps: DefinitionsDeps, runs: RunsDeps): ToolDeclaration {
  return tool({
    name: 'explain_run',
    title: 'Explain a run of a workflow',
    description:
      'Says in at most 30 lines what happened in a run of a workflow: who started it, each step, and why it stopped or what it waits for.',
    effect: 'read',
    scope: 'read:runs',
    audience: 'developer',
    input: z.strictObject({ runId: z.string().min(1).max(200).describe('Like wfr_0123') }),
    run: async ({ actor }, { runId }) => {
      const found = await findRun(deps, actor, runId);
      if (found) return { runId, lines: explainRun(await presentRun(runs, actor, found)) };
      const { state, workflow, createdBy, reason, expiresAt } = await getDraft(deps, actor, runId);
      const waits = state === 'DRAFT' ? `waits for a person to approve it, until ${expiresAt}` : state;
      const asked = `The run ${runId} of ${workflow.identifier}, asked for by ${createdBy}, has not begun: ${waits}`;
      return { runId, lines: [asked, ...(reason === null ? [] : [reason])] };
    },
  });
}

/** Undefined where it has not begun, or is not there for the caller. */
async function findRun({ database }: DefinitionsDeps, actor: Actor, runId: string) {
  return getRun(database, actor, runId).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  });
}

const outputCharactersMax = 2_000;

/** Large outputs would fill a model's context. */
function shortened(output: unknown): unknown {
  const text = JSON.stringify(output) ?? 'null';
  return text.length <= outputCharactersMax
    ? output
    : `${text.slice(0, outputCharactersMax)}… (${text.length} characters)`;
}

function builderTools(deps: DefinitionsDeps): ToolDeclaration[] {
  return [
    tool({
      name: 'upsert_workflow',
      title: 'Create a workflow or save a new version of it',
      description:
        'Creates the workflow if its identifier is new, else saves a new version of it; read it first with get_workflow to keep what shall stay. Saving starts nothing, but published triggers are open at once.',
      effect: 'destructive',
      scope: ['create:actions', 'update:actions'],
      audience: 'builder',
      isIdempotent: true,
      input: z.strictObject({
        workflow: definition(
          'Like {"identifier": "add_note", "title": "Add a note", "nodes": [{"identifier": "form", "config": {"type": "SELF_SERVE_TRIGGER", "userInputs": {"properties": {"name": {"type": "string"}}}}}, {"identifier": "note", "config": {"type": "UPSERT_ENTITY", "blueprintIdentifier": "note", "mapping": {"identifier": "{{ .outputs.trigger.name }}"}}}], "connections": [{"sourceIdentifier": "form", "targetIdentifier": "note"}]}',
        ),
        note: z.string().max(1000).optional().describe('Why it was changed'),
      }),
      run: async ({ actor }, { workflow: body, note }) => {
        const name = body['identifier'];
        const exists = typeof name === 'string' && (await findCurrent(deps.database, actor.orgId, name)) !== undefined;
        const { workflow, warnings } = exists
          ? await replaceWorkflow(deps, actor, name, body, { note })
          : await createWorkflow(deps, actor, body, { note });
        return {
          created: !exists,
          identifier: workflow.identifier,
          version: workflow.version,
          ...(warnings.length > 0 ? { warnings } : {}),
        };
      },
    }),
    tool({
      name: 'delete_workflow',
      title: 'Delete a workflow',
      description: 'Deletes one workflow: its triggers stop at once, and runs that have begun end by themselves.',
      effect: 'destructive',
      scope: 'delete:actions',
      audience: 'builder',
      input: z.strictObject({ identifier }),
      run: async ({ actor }, input) => {
        await deleteWorkflow(deps, actor, input.identifier);
        return { deleted: input.identifier };
      },
    }),
  ];
}
