import type { ReceiptsMode } from '@portolan/contract/assistant';
import type { ConnectableProvider, LlmProviderConfig } from '@portolan/contract/llm-providers';
import type { Database, Reader } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { type ChosenModel, chooseModel, type ModelHint, type OperatorModels } from '../providers/offered-models.ts';
import { findProviderRow, readChoice } from '../providers/provider.store.ts';
import { buildModelSettings, type ReachDeps } from '../providers/provider-settings.ts';
import { type AssistantModel, createModel } from './create-model.ts';
import { findPrice, type ModelSettings } from './model-settings.ts';

/** The models of an invocation: the second takes over if the first cannot be reached. */
export interface OpenedModels {
  readonly model: AssistantModel;
  readonly fallback?: AssistantModel;
}

/** What answers an invocation, and whether the organization wants it backed; one statement reads both. */
export interface Choice {
  readonly model: ChosenModel;
  readonly receipts: ReceiptsMode;
}

export interface Models {
  readonly operator: OperatorModels;
  /**
   * The first hinted model that is enabled, or the default.
   * @throws AppError `LLMProviderModelNotEnabledError` if all are disabled
   */
  choose(reader: Reader, orgId: string, hints: readonly (ModelHint | undefined)[]): Promise<Choice>;
  /** Opens a chosen model; rejects if its settings are wrong. */
  open(orgId: string, chosen: ChosenModel): Promise<OpenedModels>;
  /** Opens a configured provider, stored or not. */
  openConfigured(
    orgId: string,
    provider: ConnectableProvider,
    config: LlmProviderConfig,
    model: string,
  ): Promise<AssistantModel>;
}

export interface ModelsDeps extends ReachDeps {
  readonly database: Database;
  readonly settings: ModelSettings;
  /** Takes over if the operator's provider cannot be reached. */
  readonly fallback?: ModelSettings | undefined;
  readonly operator: OperatorModels;
}

export function createModels(deps: ModelsDeps): Models {
  const { database, settings, fallback, operator, prices } = deps;
  const made = new Map<string, Promise<AssistantModel>>();
  /** Caches the operator's models; a failed one is retried. */
  const openOnce = (key: string, wanted: ModelSettings): Promise<AssistantModel> => {
    const known = made.get(key);
    if (known) return known;
    const price = findPrice(prices, wanted.provider, wanted.model ?? '');
    const opened = createModel({ ...wanted, ...(price ? { price } : {}) });
    made.set(key, opened);
    opened.catch(() => made.delete(key));
    return opened;
  };
  const openConfigured: Models['openConfigured'] = async (orgId, provider, config, model) =>
    createModel(await buildModelSettings(deps, orgId, { provider, config }, model));
  return {
    operator,
    openConfigured,
    async choose(reader, orgId, hints) {
      const row = await readChoice(reader, orgId);
      const model = chooseModel(operator, row, hints);
      if (model) return { model, receipts: row.receipts ?? 'off' };
      const message = 'No model is enabled; an administrator can enable one with PUT /v1/llm-providers/port';
      throw new AppError('LLMProviderModelNotEnabledError', message);
    },
    async open(orgId, { isOperators, provider, model }) {
      if (isOperators) {
        const opened = await openOnce(model, { ...settings, model });
        return { model: opened, ...(fallback ? { fallback: await openOnce('fallback', fallback) } : {}) };
      }
      const row = await findProviderRow(database, orgId, provider);
      if (!row)
        throw new AppError('llm_provider_refused', `The model provider ${provider} was disconnected; ask again`);
      const own = provider as ConnectableProvider;
      return { model: await openConfigured(orgId, own, row.config as LlmProviderConfig, model) };
    },
  };
}
