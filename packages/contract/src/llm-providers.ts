import { z } from 'zod';
import { operation } from './operation.ts';
import { queryBoolean, timestamp } from './wire.ts';

/** Providers an organization can connect, beside the operator's models (`port`). */
export const connectableProviders = [
  'openai',
  'anthropic',
  'google',
  'azure-openai',
  'bedrock',
  'openai-compatible',
] as const;
export type ConnectableProvider = (typeof connectableProviders)[number];

const secretName = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/, { error: 'must be the name of a secret' });
const modelName = z.string().regex(/^[\w.:/@+-]{1,200}$/, { error: 'must be the name of a model' });
const baseUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http(s) address' })
  .max(2000)
  .refine((url) => !URL.canParse(url) || (!new URL(url).username && !new URL(url).password), {
    error: 'may not hold a user name or password; name a secret instead',
  });
const region = z.string().regex(/^[a-z]{2}(-[a-z]+){1,2}-\d$/, { error: 'must be a region such as eu-west-1' });
const guardrail = {
  guardrailIdentifier: z.string().min(1).max(2048).optional(),
  guardrailVersion: z
    .string()
    .regex(/^([1-9]\d{0,7}|DRAFT)$/, { error: 'must be a number or DRAFT' })
    .optional(),
};

const keyed = z.strictObject({
  apiKeySecretName: secretName,
  baseUrl: baseUrl.optional().describe('A gateway in front of the provider; its own address unless given.'),
});

/** Connection settings per provider. Keys are given by the names of secrets, never written here. */
export const llmProviderConfigs = {
  openai: keyed,
  anthropic: keyed,
  google: keyed,
  'azure-openai': z.strictObject({
    apiKeySecretName: secretName,
    resourceName: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,62}$/, { error: 'must be the name of a resource' }),
    deploymentId: modelName,
    baseUrl: baseUrl.optional().describe('A gateway in front of the resource.'),
  }),
  bedrock: z.strictObject({
    accessKeyIdSecretName: secretName,
    secretAccessKeySecretName: secretName,
    region,
    baseUrl: baseUrl.optional().describe('A private endpoint of the service.'),
    ...guardrail,
  }),
  'openai-compatible': z.strictObject({
    baseUrl,
    apiKeySecretName: secretName.optional(),
    models: z.array(modelName).min(1).max(50).describe('The models that the server has.'),
  }),
} as const satisfies Record<ConnectableProvider, z.ZodType>;

export type LlmProviderConfig<P extends ConnectableProvider = ConnectableProvider> = z.output<
  (typeof llmProviderConfigs)[P]
>;

/** Which models may be chosen; others keep their default, and unknown names are added. */
const llmOverrides = z.strictObject({
  models: z
    .record(modelName, z.strictObject({ enabled: z.boolean().default(true) }))
    .refine((models) => Object.keys(models).length <= 100, { error: 'has more than 100 models' }),
});
export type LlmOverrides = z.output<typeof llmOverrides>;

const config = z.union(Object.values(llmProviderConfigs)).optional();

/** The valid `config` depends on the provider in the path. */
const llmProviderChange = z.strictObject({
  provider: z.enum([...connectableProviders, 'port']).optional(),
  config,
  overrides: llmOverrides.optional(),
  enabled: z.boolean().default(true),
});

const newProvider = z.strictObject({
  provider: z.enum(connectableProviders),
  config,
  overrides: llmOverrides.optional(),
  enabled: z.boolean().default(true),
});

const provider = z
  .object({
    provider: z.string(),
    enabled: z.boolean(),
    /** Names of secrets, not their values. */
    config: z.record(z.string(), z.json()).optional(),
    overrides: z.object({ models: z.record(z.string(), z.object({ enabled: z.boolean() })) }).optional(),
    /** Every known model, and whether it can be chosen. */
    effectiveModels: z.record(z.string(), z.object({ enabled: z.boolean() })),
    createdAt: timestamp.optional(),
    createdBy: z.string().optional(),
    updatedAt: timestamp.optional(),
    updatedBy: z.string().optional(),
  })
  .meta({ id: 'LlmProvider' });

const defaults = z
  .object({
    provider: z.string(),
    model: z.string(),
    createdAt: timestamp.optional(),
    createdBy: z.string().optional(),
    updatedAt: timestamp.optional(),
    updatedBy: z.string().optional(),
  })
  .meta({ id: 'LlmDefaults' });

export const llmDefaultsBody = z.strictObject({ provider: z.string().min(1).max(100), model: modelName });

const tag = 'Model providers';
const params = z.object({ provider: z.string().min(1).max(100) });
const query = z.object({ validate_connection: queryBoolean() });
const one = z.object({ ok: z.literal(true), result: provider });
const oneDefaults = z.object({ ok: z.literal(true), result: defaults });
const invalidStatus = 400;

const changeErrors = [
  'llm_provider_manage_forbidden',
  'LLMProviderInvalidConfigError',
  'LLMProviderModelTestError',
] as const;

export const getLlmDefaults = operation({
  id: 'getLlmDefaults',
  method: 'GET',
  path: '/v1/llm-providers/defaults',
  tag,
  summary: 'Read which model answers where neither request nor agent names one',
  access: 'token',
  invalidStatus,
  answer: oneDefaults,
  errors: [],
});

export const putLlmDefaults = operation({
  id: 'putLlmDefaults',
  method: 'PUT',
  path: '/v1/llm-providers/defaults',
  tag,
  summary: 'Choose which model answers where neither request nor agent names one',
  access: 'token',
  invalidStatus,
  body: llmDefaultsBody,
  readsRawBody: true,
  answer: oneDefaults,
  errors: ['llm_provider_manage_forbidden', 'LLMProviderNotFoundError', 'LLMProviderModelNotEnabledError'],
});

export const listLlmProviders = operation({
  id: 'listLlmProviders',
  method: 'GET',
  path: '/v1/llm-providers',
  tag,
  summary: 'List the connected model providers; the operator’s own models are `port`',
  access: 'token',
  invalidStatus,
  answer: z.object({ ok: z.literal(true), result: z.array(provider) }),
  errors: [],
});

export const createLlmProvider = operation({
  id: 'createLlmProvider',
  method: 'POST',
  path: '/v1/llm-providers',
  tag,
  summary: 'Connect a model provider',
  description:
    'Keys stay in the secrets of the organization, which `config` names. With `validate_connection=true` every enabled model is asked a few words first; nothing is stored if one does not answer. Only administrators.',
  access: 'token',
  invalidStatus,
  status: 201,
  query,
  body: newProvider,
  readsRawBody: true,
  answer: one,
  errors: [...changeErrors, 'identifier_taken'],
});

export const getLlmProvider = operation({
  id: 'getLlmProvider',
  method: 'GET',
  path: '/v1/llm-providers/{provider}',
  tag,
  summary: 'Read a model provider',
  access: 'token',
  invalidStatus,
  params,
  answer: one,
  errors: ['LLMProviderNotFoundError'],
});

export const replaceLlmProvider = operation({
  id: 'replaceLlmProvider',
  method: 'PUT',
  path: '/v1/llm-providers/{provider}',
  tag,
  summary: 'Change a model provider, or switch the operator’s models (`port`) on or off',
  access: 'token',
  invalidStatus,
  params,
  query,
  body: llmProviderChange,
  readsRawBody: true,
  answer: one,
  errors: [...changeErrors, 'LLMProviderNotFoundError'],
});

export const deleteLlmProvider = operation({
  id: 'deleteLlmProvider',
  method: 'DELETE',
  path: '/v1/llm-providers/{provider}',
  tag,
  summary: 'Disconnect a model provider; runs that have begun go on',
  access: 'token',
  invalidStatus,
  status: 204,
  params,
  errors: ['llm_provider_manage_forbidden', 'LLMProviderNotFoundError', 'LLMProviderInvalidConfigError'],
});

export const llmProviderOperations = [
  listLlmProviders,
  createLlmProvider,
  getLlmDefaults,
  putLlmDefaults,
  getLlmProvider,
  replaceLlmProvider,
  deleteLlmProvider,
] as const;
