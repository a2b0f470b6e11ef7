import { z } from 'zod';

const text = z.string().max(100_000);
const document = z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]);
/** A boolean, or a template that renders to `true`. */
const truth = z.union([z.boolean(), z.string().max(10_000)]);

const kafka = z.looseObject({ type: z.literal('KAFKA'), payload: document.nullish() });

const webhook = z.looseObject({
  type: z.literal('WEBHOOK'),
  url: z.string().min(1).max(10_000),
  agent: truth.nullish(),
  synchronized: truth.nullish(),
  method: z.string().max(1000).nullish(),
  headers: z.record(z.string(), z.string()).nullish(),
  body: z.union([document, z.string().max(100_000)]).nullish(),
});

const github = z.looseObject({
  type: z.literal('GITHUB'),
  org: text.min(1),
  repo: text.min(1),
  workflow: text.min(1),
  workflowInputs: z.record(z.string(), z.unknown()).nullish(),
  reportWorkflowStatus: truth.nullish(),
});

const integrationAction = z.looseObject({
  type: z.literal('INTEGRATION_ACTION'),
  installationId: text.min(1),
  integrationActionType: text.min(1),
  integrationActionExecutionProperties: z.record(z.string(), z.unknown()),
});

const gitlab = z.looseObject({
  type: z.literal('GITLAB'),
  projectName: text.min(1),
  groupName: text.min(1),
  defaultRef: text.nullish(),
  pipelineVariables: z.record(z.string(), z.unknown()).nullish(),
});

const azureDevops = z.looseObject({
  type: z.literal('AZURE_DEVOPS'),
  webhook: text.min(1),
  org: text.min(1),
  payload: document.nullish(),
});

const upsertEntity = z.looseObject({
  type: z.literal('UPSERT_ENTITY'),
  blueprintIdentifier: z.string().min(1).max(1000),
  mapping: z.looseObject({
    identifier: text.nullish(),
    title: text.nullish(),
    icon: text.nullish(),
    team: z.union([text, z.array(text)]).nullish(),
    properties: z.record(z.string(), z.unknown()).nullish(),
    relations: z.record(z.string(), z.unknown()).nullish(),
  }),
});

/**
 * What a run does (api contract §3.5.4). Every text may hold `{{ jq }}`. Unknown keys are kept and returned, because
 * clients compare them.
 */
export const invocationMethod = z.discriminatedUnion('type', [
  kafka,
  webhook,
  github,
  integrationAction,
  gitlab,
  azureDevops,
  upsertEntity,
]);
export type InvocationMethod = z.output<typeof invocationMethod>;
