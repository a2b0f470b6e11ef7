import * as assistantNotBuilt from '@portolan/contract/assistant-not-built';
import * as jsonValue from '@portolan/contract/json-value';
import * as contract from '@portolan/contract/llm-providers';
import type { z } from 'zod';
import { AppError, invalidRequest } from '../../../platform/errors.ts';
import { toIssues } from '../../../platform/http/issues.ts';
import { HttpAnswer, type Route, route } from '../../../platform/http/route.ts';
import { readDefaults, writeDefaults } from './llm-defaults.ts';
import { effectiveModels, operatorProvider } from './offered-models.ts';
import { findProviderRow, listProviderRows, type StoredProvider } from './provider.store.ts';
import type { ProvidersDeps } from './providers.deps.ts';
import { assertManager, createProvider, deleteProvider, providerNotFound, replaceProvider } from './write-provider.ts';

export function llmProviderRoutes(deps: ProvidersDeps): Route[] {
  const present = (row: StoredProvider) => presentProvider(deps, row);
  return [
    route(contract.listLlmProviders, async (_input, { actor }) => {
      const rows = await listProviderRows(deps.database, actor.orgId);
      const hasPort = rows.some(({ provider }) => provider === operatorProvider);
      return { result: [...(hasPort ? [] : [untouchedPort(deps)]), ...rows.map(present)] };
    }),
    // reads the body after checking the right to write
    route(contract.createLlmProvider, async ({ query }, { actor, rawBody }) => {
      assertManager(actor);
      const body = parseBody(contract.createLlmProvider.body, rawBody);
      return { result: present(await createProvider(deps, actor, { ...body, validates: query.validate_connection })) };
    }),
    route(contract.getLlmDefaults, async (_input, { actor }) => ({ result: await readDefaults(deps, actor) })),
    route(contract.putLlmDefaults, async (_input, { actor, rawBody }) => {
      assertManager(actor);
      return { result: await writeDefaults(deps, actor, parseBody(contract.llmDefaultsBody, rawBody)) };
    }),
    route(contract.getLlmProvider, async ({ params }, { actor }) => {
      const row = await findProviderRow(deps.database, actor.orgId, params.provider);
      if (row) return { result: present(row) };
      if (params.provider !== operatorProvider) throw providerNotFound(params.provider);
      return { result: untouchedPort(deps) };
    }),
    route(contract.replaceLlmProvider, async ({ params, query }, { actor, rawBody }) => {
      assertManager(actor);
      const body = parseBody(contract.replaceLlmProvider.body, rawBody);
      if (body.provider !== undefined && body.provider !== params.provider) {
        throw invalidRequest([{ path: '/provider', message: `differs from ${params.provider} of the path` }]);
      }
      const input = { ...body, provider: params.provider, validates: query.validate_connection };
      return { result: present(await replaceProvider(deps, actor, input)) };
    }),
    route(contract.deleteLlmProvider, async ({ params }, { actor }) => {
      assertManager(actor);
      await deleteProvider(deps, actor, params.provider);
      return new HttpAnswer({});
    }),
    ...assistantNotBuilt.assistantNotBuiltOperations.map((operation) => route(operation, notBuilt)),
  ];
}

async function notBuilt(): Promise<never> {
  const message = 'Memories of people and the discovery of entities by the assistant are not part of this installation';
  throw new AppError('not_implemented', message);
}

/** Reports an invalid configuration separately from an otherwise invalid body. */
function parseBody<S extends z.ZodType>(schema: S, rawBody: unknown): z.output<S> {
  const { config, ...others } = jsonValue.toRecord(rawBody);
  const given = jsonValue.isRecord(rawBody) ? others : rawBody;
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw invalidRequest(toIssues(parsed.error, given));
  return { ...(parsed.data as object), ...(config == null ? {} : { config }) } as z.output<S>;
}

function presentProvider({ models }: ProvidersDeps, row: StoredProvider) {
  const { provider, isEnabled, config, models: overridden, createdAt, createdBy, updatedAt, updatedBy } = row;
  return {
    provider,
    enabled: isEnabled,
    ...(provider === operatorProvider ? {} : { config: config as Record<string, never> }),
    overrides: { models: overridden },
    effectiveModels: effectiveModels(models.operator, row),
    createdAt: createdAt.toISOString(),
    createdBy,
    updatedAt: updatedAt.toISOString(),
    updatedBy,
  };
}

function untouchedPort({ models }: ProvidersDeps) {
  const offer = { provider: operatorProvider, config: {}, models: {} };
  return { provider: operatorProvider, enabled: true, effectiveModels: effectiveModels(models.operator, offer) };
}
