import type { Issue } from '@portolan/contract/errors';
import {
  type ConnectableProvider,
  connectableProviders,
  type LlmOverrides,
  type LlmProviderConfig,
  llmProviderConfigs,
} from '@portolan/contract/llm-providers';
import { type Actor, isAdmin } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import { toIssues } from '../../../platform/http/issues.ts';
import { requireSecrets } from '../../../platform/scopes.ts';
import { createSecretScope } from '../../../platform/secrets/secret-scope.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { effectiveModels, operatorProvider } from './offered-models.ts';
import {
  deleteProviderRow,
  findProviderRow,
  insertProviderRow,
  lockProviderRow,
  type StoredProvider,
  updateProviderRow,
} from './provider.store.ts';
import { secretsNamedBy } from './provider-settings.ts';
import type { ProvidersDeps } from './providers.deps.ts';
import { testConnection } from './test-connection.ts';

export interface ProviderInput {
  readonly provider: string;
  readonly config?: unknown;
  readonly overrides?: LlmOverrides | undefined;
  readonly enabled: boolean;
  /** Tests every enabled model before storing anything. */
  readonly validates: boolean;
}

/** @throws AppError `llm_provider_manage_forbidden` */
export function assertManager(actor: Actor): void {
  if (isAdmin(actor)) return;
  throw new AppError('llm_provider_manage_forbidden', 'Only an administrator connects and changes model providers');
}

/** @throws AppError `LLMProviderInvalidConfigError`, `LLMProviderModelTestError`, `identifier_taken` */
export async function createProvider(deps: ProvidersDeps, actor: Actor, input: ProviderInput): Promise<StoredProvider> {
  const known = await findProviderRow(deps.database, actor.orgId, input.provider);
  if (known) throw alreadyConnected(input.provider);
  const checked = await check(deps, actor, input);
  return deps.unitOfWork(actor, async (work) => {
    const made = { ...checked, createdAt: work.now, createdBy: actor.id, updatedAt: work.now, updatedBy: actor.id };
    if (!(await insertProviderRow(work.tx, actor.orgId, made))) throw alreadyConnected(input.provider);
    record(work, undefined, made);
    return made;
  });
}

/**
 * Changes a provider; without `config` the stored one stays. The operator's models need no earlier row.
 * @throws AppError `LLMProviderNotFoundError`, `LLMProviderInvalidConfigError`, `LLMProviderModelTestError`
 */
export async function replaceProvider(
  deps: ProvidersDeps,
  actor: Actor,
  input: ProviderInput,
): Promise<StoredProvider> {
  const known = await findProviderRow(deps.database, actor.orgId, input.provider);
  if (!known && input.provider !== operatorProvider) throw providerNotFound(input.provider);
  const checked = await check(deps, actor, input, known?.config);
  return deps.unitOfWork(actor, async (work) => {
    const before = await lockProviderRow(work.tx, actor.orgId, input.provider);
    const stamps = { createdAt: before?.createdAt ?? work.now, createdBy: before?.createdBy ?? actor.id };
    const after = { ...checked, ...stamps, updatedAt: work.now, updatedBy: actor.id };
    if (before) await updateProviderRow(work.tx, actor.orgId, after);
    else if (input.provider !== operatorProvider) throw providerNotFound(input.provider);
    else if (!(await insertProviderRow(work.tx, actor.orgId, after))) {
      throw new AppError('stale_version', 'Somebody else changed it at the same time; try again');
    }
    record(work, before, after);
    return after;
  });
}

/** @throws AppError `LLMProviderNotFoundError`, `LLMProviderInvalidConfigError` for the operator's models */
export async function deleteProvider({ unitOfWork }: ProvidersDeps, actor: Actor, provider: string): Promise<void> {
  if (provider === operatorProvider) {
    const message = "The operator's models cannot be removed; switch them off with PUT /v1/llm-providers/port";
    throw new AppError('LLMProviderInvalidConfigError', message);
  }
  await unitOfWork(actor, async (work) => {
    const before = await lockProviderRow(work.tx, actor.orgId, provider);
    if (!before) throw providerNotFound(provider);
    await deleteProviderRow(work.tx, actor.orgId, provider);
    record(work, before, undefined);
  });
}

export function providerNotFound(provider: string): AppError {
  const message = `The model provider "${provider.slice(0, 100)}" is not connected`;
  return new AppError('LLMProviderNotFoundError', message);
}

function alreadyConnected(provider: string): AppError {
  const message = `The model provider "${provider}" is connected already; change it with PUT /v1/llm-providers/${provider}`;
  return new AppError('identifier_taken', message);
}

type CheckedProvider = Pick<StoredProvider, 'provider' | 'isEnabled' | 'config' | 'models'>;

/** All checks before the transaction, because a test calls the provider. */
async function check(
  deps: ProvidersDeps,
  actor: Actor,
  { provider, config: written, overrides, enabled, validates }: ProviderInput,
  stored?: unknown,
): Promise<CheckedProvider> {
  const config = written ?? stored;
  const { operator } = deps.models;
  const models = overrides?.models ?? {};
  if (provider === operatorProvider) {
    if (config !== undefined && Object.keys(config as object).length > 0) {
      throw invalidConfig(provider, [{ path: '/config', message: 'is set by the operator' }]);
    }
    const offered = { provider, config: {}, models };
    const known = effectiveModels(operator, offered);
    const unknown = Object.keys(models).filter((model) => !Object.hasOwn(known, model));
    if (unknown.length > 0) {
      const path = `/overrides/models/${unknown[0]}`;
      throw invalidConfig(provider, [{ path, message: 'is no model that the operator offers' }]);
    }
    return { ...offered, isEnabled: enabled };
  }
  const own = connectableProviders.find((each) => each === provider);
  if (!own) throw providerNotFound(provider);
  if (!operator.connectable.includes(own)) {
    const allowed = operator.connectable.join(', ') || 'none';
    const message = `cannot be connected here; the operator allows: ${allowed}`;
    throw invalidConfig(provider, [{ path: '/provider', message }]);
  }
  const parsed = llmProviderConfigs[own].safeParse(config ?? {});
  if (!parsed.success) throw invalidConfig(provider, toIssues(parsed.error, config ?? {}, '/config'));
  const checked: CheckedProvider = { provider, isEnabled: enabled, config: parsed.data, models };
  if (written !== undefined && secretsNamedBy(checked.config).length > 0) requireSecrets(actor);
  await assertSecrets(deps, actor.orgId, checked);
  if (validates)
    await testConnection(deps, actor.orgId, own, parsed.data as LlmProviderConfig, listEnabledModels(deps, checked));
  return checked;
}

function listEnabledModels({ models }: ProvidersDeps, checked: CheckedProvider): string[] {
  const all = Object.entries(effectiveModels(models.operator, checked));
  return all.filter(([, { enabled }]) => enabled).map(([model]) => model);
}

async function assertSecrets({ secretValue }: ProvidersDeps, orgId: string, { provider, config }: CheckedProvider) {
  const missing: Issue[] = [];
  for (const { field, name } of secretsNamedBy(config)) {
    if ((await secretValue(orgId, name, createSecretScope())) !== undefined) continue;
    missing.push({ path: `/config/${field}`, message: `there is no secret named ${name}` });
  }
  if (missing.length > 0) throw invalidConfig(provider, missing);
}

function invalidConfig(provider: string, issues: readonly Issue[]): AppError {
  const [first] = issues;
  const message = `The configuration of ${provider} is not valid. ${first?.path}: ${first?.message}`;
  return new AppError('LLMProviderInvalidConfigError', message, { details: [...issues] });
}

function record(work: Work, before: StoredProvider | undefined, after: StoredProvider | undefined): void {
  const action = !before ? 'CREATE' : after ? 'UPDATE' : 'DELETE';
  const past = { CREATE: 'created', UPDATE: 'updated', DELETE: 'deleted' }[action];
  work.record({
    event: `llm-provider.${past}`,
    action,
    resourceType: 'llm-provider',
    identifier: (after ?? before)?.provider ?? '',
    context: {},
    ...(before ? { before: recorded(before) } : {}),
    ...(after ? { after: recorded(after) } : {}),
  });
}

/** Gateways may carry a key in the path, so only the origin is recorded. */
function recorded({ provider, isEnabled, config, models }: StoredProvider) {
  const { baseUrl, ...others } = config as Readonly<Record<string, unknown>> & { readonly baseUrl?: string };
  const shown: Record<string, unknown> = { ...others, ...(baseUrl ? { baseUrl: new URL(baseUrl).origin } : {}) };
  return { provider: provider as ConnectableProvider, enabled: isEnabled, config: shown, models };
}
