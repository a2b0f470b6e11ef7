import { z } from 'zod';
import { actionPolicy } from './action-policy.ts';
import { itemTrigger, mapItems, parallelBranches, repeatBody, runWorkflow } from './workflow-child-nodes.ts';
import { inputForm, workflowForm } from './workflow-forms.ts';
import { fetchNode, notifyNode, runActionNode, waitForEventNode } from './workflow-step-nodes.ts';
import { runTrigger, triggerCondition, triggerEvents, webhookTrigger } from './workflow-trigger-nodes.ts';

const identifier = z
  .string()
  .min(1)
  .max(60)
  .regex(/^[\p{L}0-9@_:-]+$/u, 'may hold letters, digits and @ _ : - only');

export { identifier as workflowIdentifierText };

const name = z.string().min(1).max(1000);
/** May hold `{{ jq }}`. */
const text = z.string().max(100_000);
const address = z.string().min(1).max(10_000);
const truth = z.union([z.boolean(), text]).nullish();
const document = z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]);
const headers = z.record(z.string(), z.string()).nullish();
const published = z.boolean().nullish();
const onFailure = z.enum(['terminate', 'continue']).nullish();
const method = z.string().max(1000).nullish();
const names = z.array(z.string().min(1).max(1000)).max(1000).nullish();
const buttonText = z.string().min(1).max(15).nullish();

/** A query of entities that decides by what it finds, as written by clients of the public API. */
const queryPolicy = z.looseObject({ combinator: z.enum(['and', 'or']), rules: z.array(z.unknown()).max(1000) });

/** Who may start a run: whoever one of the lists names, or the policy admits. Nobody but administrators if empty. */
export const nodePermissions = z.looseObject({
  users: names,
  roles: names,
  teams: names,
  policy: z.union([actionPolicy, queryPolicy]).nullish(),
});
export type NodePermissions = z.output<typeof nodePermissions>;

const context = z.discriminatedUnion('on', [
  z.looseObject({ on: z.literal('CREATE_ENTITY'), blueprintIdentifier: name }),
  z.looseObject({ on: z.literal('ENTITY'), userInput: name }),
  z.looseObject({ on: z.literal('SELF_SERVICE_HUB'), visible: z.boolean().nullish() }),
]);

const selfServeTrigger = z.looseObject({
  type: z.literal('SELF_SERVE_TRIGGER'),
  published,
  userInputs: workflowForm.nullish(),
  permissions: nodePermissions.nullish(),
  contexts: z.array(context).max(20).nullish(),
  variant: z.enum(['DEFAULT', 'ALERT']).nullish(),
  actionCardButtonText: buttonText,
  executeActionButtonText: buttonText,
});

const eventTrigger = z.looseObject({
  type: z.literal('EVENT_TRIGGER'),
  published,
  event: z.looseObject({
    type: z.enum(triggerEvents),
    blueprintIdentifier: name,
    propertyIdentifier: name.nullish(),
  }),
  condition: triggerCondition.nullish(),
});

const scheduleTrigger = z.looseObject({
  type: z.literal('SCHEDULE_TRIGGER'),
  published,
  cron: z.string().min(1).max(200),
});

const webhook = z.looseObject({
  type: z.literal('WEBHOOK'),
  url: address,
  method,
  headers,
  body: z.unknown().optional(),
  synchronized: truth,
  agent: truth,
  onTimeout: z.enum(['fail', 'continue']).nullish(),
  onFailure,
});

const kafka = z.looseObject({ type: z.literal('KAFKA'), payload: document.nullish(), onFailure });

const integrationAction = z.looseObject({
  type: z.literal('INTEGRATION_ACTION'),
  installationId: text.min(1),
  integrationProvider: text.min(1),
  integrationInvocationType: text.min(1),
  integrationActionExecutionProperties: z.unknown().optional(),
  deferIntegrationInstallation: z.boolean().nullish(),
  onFailure,
});

const upsertEntity = z.looseObject({
  type: z.literal('UPSERT_ENTITY'),
  blueprintIdentifier: name,
  mapping: z
    .looseObject({
      identifier: text.nullish(),
      title: text.nullish(),
      icon: text.nullish(),
      team: z.union([text, z.array(text)]).nullish(),
      properties: z.record(z.string(), z.unknown()).nullish(),
      relations: z.record(z.string(), z.unknown()).nullish(),
    })
    .nullish(),
  onFailure,
});

const model = {
  userPrompt: text.min(1),
  mcpServers: z
    .array(z.looseObject({ identifier: name }))
    .max(5)
    .nullish(),
  provider: name.nullish(),
  model: name.nullish(),
  outputSchema: z.looseObject({ type: z.literal('object') }).nullish(),
  onFailure,
};
const ai = z.looseObject({
  type: z.literal('AI'),
  ...model,
  systemPrompt: text.nullish(),
  tools: z.array(text).max(100).nullish(),
});
const aiAgent = z.looseObject({ type: z.literal('AI_AGENT'), ...model, agentIdentifier: name });

const statusLabel = z.looseObject({ text: text.min(1), variant: z.enum(['success', 'alert']).nullish() }).nullish();
const labels = { statusLabel, workflowStatusLabel: statusLabel };
const outlet = { identifier, title: z.string().max(1000).nullish(), ...labels };

const condition = z.looseObject({
  type: z.literal('CONDITION'),
  outlets: z.array(z.looseObject({ ...outlet, expression: z.string().min(1).max(10_000) })).max(50),
});

const notification = z.discriminatedUnion('target', [
  z.looseObject({
    target: z.literal('email'),
    fields: z
      .array(z.looseObject({ label: text, value: text }))
      .min(1)
      .max(20),
  }),
  z.looseObject({
    target: z.literal('webhook'),
    url: address,
    method,
    headers,
    body: z.unknown().optional(),
    agent: z.boolean().nullish(),
  }),
  z.looseObject({ target: z.literal('slack'), url: address }),
]);

/** Who may respond to an `INPUT`; administrators if nobody is named. */
export const inputResponders = z.looseObject({
  users: names,
  roles: names,
  teams: names,
  usersQuery: queryPolicy.nullish(),
});

const input = z.looseObject({
  type: z.literal('INPUT'),
  userInputs: inputForm,
  description: text.nullish(),
  outlets: z
    .array(
      z.looseObject({
        ...outlet,
        evaluationMethod: z.literal('button').nullish(),
        numOfResponders: z.number().int().min(1).max(1000).nullish(),
      }),
    )
    .max(50)
    .nullish(),
  notifications: z.array(notification).max(20).nullish(),
  responders: inputResponders.nullish(),
});

const cursorAgent = z.looseObject({ type: z.literal('CURSOR_AGENT') });

const delay = z.looseObject({
  type: z.literal('DELAY'),
  seconds: z
    .union([
      z
        .number()
        .min(0)
        .max(90 * 86_400),
      text.min(1),
    ])
    .nullish(),
  /** A template that gives a time. */
  until: text.min(1).nullish(),
});

const transform = z.looseObject({
  type: z.literal('TRANSFORM'),
  expression: z.string().min(1).max(10_000).nullish(),
  value: z.unknown().optional(),
  onFailure,
});

const deleteEntity = z.looseObject({
  type: z.literal('DELETE_ENTITY'),
  blueprintIdentifier: name,
  identifier: text.min(1),
  dependents: z.boolean().nullish(),
  onFailure,
});

const stop = z.looseObject({
  type: z.literal('STOP'),
  result: z.enum(['SUCCESS', 'FAILED']).nullish(),
  ...labels,
});

/** What a node is and does. Unknown keys are kept and answered. */
export const nodeConfig = z.discriminatedUnion('type', [
  selfServeTrigger,
  eventTrigger,
  scheduleTrigger,
  webhook,
  kafka,
  integrationAction,
  upsertEntity,
  ai,
  aiAgent,
  condition,
  input,
  cursorAgent,
  delay,
  transform,
  deleteEntity,
  stop,
  fetchNode,
  runActionNode,
  notifyNode,
  waitForEventNode,
  webhookTrigger,
  runTrigger,
  itemTrigger,
  runWorkflow,
  mapItems,
  parallelBranches,
  repeatBody,
]);
export type WorkflowNodeConfig = z.output<typeof nodeConfig>;

export const nodeTypes = nodeConfig.options.map(({ shape }) => shape.type.value);

export const workflowNode = z.looseObject({
  identifier,
  title: z.string().max(1000).nullish(),
  icon: z.string().max(200).nullish(),
  description: z.string().max(5000).nullish(),
  /** Templates that replace the node's output. */
  variables: z.record(z.string().min(1).max(200), text).nullish(),
  links: z.array(text).max(3).nullish(),
  verbose: z.boolean().nullish(),
  /** The step outside the graph that undoes what this one did, once the run fails or is cancelled. */
  compensatedBy: identifier.nullish(),
  config: nodeConfig,
});
