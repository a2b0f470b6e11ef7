import * as pauses from '@portolan/contract/workflow-pauses';
import * as contract from '@portolan/contract/workflows';
import type { Actor } from '../../../platform/actor.ts';
import { invalidRequest } from '../../../platform/errors.ts';
import { HttpAnswer, type RequestInfo, type Route, route } from '../../../platform/http/route.ts';
import { warningHeader } from '../../../platform/http/warning.ts';
import type { DefinitionsDeps } from './definitions.deps.ts';
import { mergePermissions, readNodePermissions, writeNodePermissions } from './node-permissions.ts';
import { pauseTriggers, readTriggerStates, resumeTriggers } from './pause-triggers.ts';
import { presentWorkflow } from './present-workflow.ts';
import {
  getWorkflow,
  getWorkflowNode,
  getWorkflowVersion,
  listSelfServiceTriggers,
  listWorkflows,
  listWorkflowVersions,
} from './read-workflows.ts';
import { evaluateTriggerForm } from './start-form.ts';
import { getTriggerAddress, rotateTriggerAddress } from './trigger-address.ts';
import type { WorkflowNode } from './workflow.ts';
import {
  createWorkflow,
  deleteWorkflow,
  replaceWorkflow,
  validateWorkflow,
  type WrittenWorkflow,
} from './write-workflows.ts';

export function workflowRoutes(deps: DefinitionsDeps & { readonly publicUrl: () => string }): Route[] {
  return [
    route(contract.listWorkflows, async (_input, { actor }) => {
      const workflows = await listWorkflows(deps, actor);
      return {
        workflows: workflows.map(presentWorkflow),
        ...(await readTriggerStates(deps.database, actor.orgId, workflows)),
      };
    }),
    route(contract.createWorkflow, async ({ query }, { actor, rawBody }) =>
      written(await createWorkflow(deps, actor, rawBody, query)),
    ),
    route(contract.validateWorkflow, async (_input, { actor, rawBody }) => {
      const { issues, warnings } = await validateWorkflow(deps, actor, rawBody);
      return { isValid: issues.length === 0, issues: [...issues], warnings: [...warnings] };
    }),
    route(contract.listSelfServiceTriggers, async (_input, { actor }) => ({
      triggers: await listSelfServiceTriggers(deps, actor),
    })),
    route(contract.getWorkflow, async ({ params }, { actor }) => {
      const workflow = await getWorkflow(deps, actor, params.identifier);
      const { triggers } = await readTriggerStates(deps.database, actor.orgId, [workflow]);
      return { workflow: presentWorkflow(workflow), triggers };
    }),
    route(contract.replaceWorkflow, async ({ params, query }, { actor, headers, rawBody }) => {
      const expectedVersion = readExpected(query.expectedVersion ?? headerText(headers, 'if-match'));
      const options = { note: query.note, strict: query.strict, expectedVersion };
      return written(await replaceWorkflow(deps, actor, params.identifier, rawBody, options));
    }),
    route(contract.deleteWorkflow, async ({ params }, { actor }) => {
      await deleteWorkflow(deps, actor, params.identifier);
      return {};
    }),
    route(contract.listWorkflowVersions, async ({ params, query }, { actor }) => {
      const versions = await listWorkflowVersions(deps, actor, params.identifier, query.limit);
      return { versions: versions.map((each) => ({ ...each, savedAt: each.savedAt.toISOString() })) };
    }),
    route(contract.getWorkflowVersion, async ({ params }, { actor }) => ({
      workflow: presentWorkflow(await getWorkflowVersion(deps, actor, params.identifier, params.version)),
    })),
    route(contract.getWorkflowNode, async ({ params }, { actor }) => ({
      node: presentNode(await getWorkflowNode(deps, actor, params.identifier, params.node)),
    })),
    route(contract.evaluateTriggerForm, async ({ params, body }, { actor }) => ({
      form: await evaluateTriggerForm(deps, actor, params.identifier, params.node, body.inputs),
    })),
    route(contract.getTriggerAddress, async ({ params }, { actor }) => ({
      address: await getTriggerAddress(deps, actor, params.identifier, params.node),
    })),
    route(contract.rotateTriggerAddress, async ({ params }, { actor }) => ({
      address: await rotateTriggerAddress(deps, actor, params.identifier, params.node),
    })),
    ...permissionRoutes(deps),
    ...pauseRoutes(deps),
  ];
}

function permissionRoutes(deps: DefinitionsDeps): Route[] {
  return [
    route(contract.getNodePermissions, async ({ params }, { actor }) => ({
      permissions: await readNodePermissions(deps, actor, params.identifier, params.node),
    })),
    route(contract.setNodePermissions, async ({ params, body }, { actor }) => ({
      permissions: await writeNodePermissions(deps, actor, params.identifier, params.node, () =>
        mergePermissions({}, body),
      ),
    })),
    route(contract.changeNodePermissions, async ({ params, body }, { actor }) => ({
      permissions: await writeNodePermissions(deps, actor, params.identifier, params.node, (before) =>
        mergePermissions(before, body),
      ),
    })),
    route(contract.deleteNodePermissions, async ({ params }, { actor }) => ({
      permissions: await writeNodePermissions(deps, actor, params.identifier, params.node, () => undefined),
    })),
  ];
}

function pauseRoutes(deps: DefinitionsDeps): Route[] {
  const ofAll = async (actor: Actor) => readTriggerStates(deps.database, actor.orgId, await listWorkflows(deps, actor));
  const ofOne = async (actor: Actor, identifier: string) => {
    const { triggers } = await readTriggerStates(deps.database, actor.orgId, [
      await getWorkflow(deps, actor, identifier),
    ]);
    return { triggers };
  };
  return [
    route(pauses.pauseWorkflows, async ({ body }, { actor }) => {
      await pauseTriggers(deps, actor, {}, body.reason ?? undefined);
      return ofAll(actor);
    }),
    route(pauses.resumeWorkflows, async (_input, { actor }) => {
      await resumeTriggers(deps, actor, {});
      return ofAll(actor);
    }),
    route(pauses.pauseWorkflow, async ({ params: { identifier }, body }, { actor }) => {
      const node = body.nodeIdentifier ?? undefined;
      await pauseTriggers(deps, actor, { identifier, node }, body.reason ?? undefined);
      return ofOne(actor, identifier);
    }),
    route(pauses.resumeWorkflow, async ({ params: { identifier }, body }, { actor }) => {
      await resumeTriggers(deps, actor, { identifier, node: body.nodeIdentifier ?? undefined });
      return ofOne(actor, identifier);
    }),
  ];
}

function written({ workflow, warnings }: WrittenWorkflow) {
  const sentences = warnings.map(({ path, message }) => `${path} ${message}`.trim());
  return new HttpAnswer(
    { workflow: presentWorkflow(workflow), warnings: [...warnings] },
    { headers: { ...warningHeader(sentences), etag: `"${workflow.version}"` } },
  );
}

/** The node as written. */
function presentNode(node: WorkflowNode) {
  // definitions come from JSON
  return node as unknown as contract.Workflow['nodes'][number];
}

function headerText(headers: RequestInfo['headers'], name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.at(-1) : value;
}

/** The version of `If-Match`, with or without quotes; `*` expects none in particular. */
function readExpected(text: string | undefined): number | undefined {
  if (text === undefined || text.trim() === '*') return undefined;
  const [, digits] = /^(?:W\/)?"?(\d{1,9})"?$/.exec(text.trim()) ?? [];
  if (digits !== undefined) return Number(digits);
  const message = `"${text.slice(0, 50)}" is no version: write its number, as in If-Match: "3"`;
  throw invalidRequest([{ path: '{query}/expectedVersion', message }]);
}
