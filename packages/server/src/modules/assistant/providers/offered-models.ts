import type { ConnectableProvider } from '@portolan/contract/llm-providers';
import type { ModelProvider } from '../model/model-settings.ts';
import type { ChoiceRow, StoredProvider } from './provider.store.ts';

/** The published name of the operator's models. */
export const operatorProvider = 'port';

/** The operator's provider, its models, and what organizations may connect. */
export interface OperatorModels {
  readonly provider: ModelProvider;
  readonly standard: string;
  readonly offered: readonly string[];
  readonly connectable: readonly ConnectableProvider[];
}

/** Models known by default; others may be added by name. */
const knownModels: Readonly<Record<Exclude<ConnectableProvider, 'azure-openai' | 'openai-compatible'>, string[]>> = {
  openai: ['gpt-5'],
  anthropic: ['claude-sonnet-4-5-20250929', 'claude-haiku-4-5-20251001', 'claude-sonnet-4-20250514'],
  google: ['gemini-2.5-pro', 'gemini-2.5-flash'],
  bedrock: ['claude-sonnet-4-5-20250929', 'claude-haiku-4-5-20251001', 'claude-sonnet-4-20250514'],
};

type Offer = Pick<StoredProvider, 'provider' | 'config' | 'models'>;

/** Every model of a provider, with whether it may be chosen. */
export function effectiveModels(operator: OperatorModels, offer: Offer): Record<string, { enabled: boolean }> {
  const known = listKnownModels(operator, offer);
  // organizations cannot add models that the operator pays for
  const own = Object.entries(offer.models).filter(
    ([model]) => offer.provider !== operatorProvider || known.includes(model),
  );
  return { ...Object.fromEntries(known.map((model) => [model, { enabled: true }])), ...Object.fromEntries(own) };
}

function listKnownModels(operator: OperatorModels, { provider, config }: Offer): readonly string[] {
  switch (provider) {
    case operatorProvider:
      return [...new Set([operator.standard, ...operator.offered])];
    case 'azure-openai':
      return [String(config['deploymentId'])];
    case 'openai-compatible':
      return config['models'] as string[];
    default:
      return knownModels[provider as keyof typeof knownModels] ?? [];
  }
}

export interface ChosenModel {
  readonly isOperators: boolean;
  readonly provider: ModelProvider;
  readonly model: string;
}

/** Everything that an organization may choose, its own providers first. */
export function choosable(operator: OperatorModels, { providers }: Pick<ChoiceRow, 'providers'>): ChosenModel[] {
  const ports = providers.find(({ provider }) => provider === operatorProvider);
  const port = ports ?? { provider: operatorProvider, isEnabled: true, config: {}, models: {} };
  const own = providers.filter(({ provider }) => operator.connectable.includes(provider as ConnectableProvider));
  return [...own, port]
    .filter(({ isEnabled }) => isEnabled)
    .flatMap((offer) =>
      Object.entries(effectiveModels(operator, offer))
        .filter(([, { enabled }]) => enabled)
        .map(([model]) => {
          const isOperators = offer.provider === operatorProvider;
          return { isOperators, provider: isOperators ? operator.provider : (offer.provider as ModelProvider), model };
        }),
    );
}

/** A model hint of a request or agent; an unknown one is never an error. */
export interface ModelHint {
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
}

/**
 * The first hint that matches an enabled model, else the organization's default, else the operator's. A hint with only
 * provider or model counts if exactly one enabled model completes it. Undefined if all are disabled.
 */
export function chooseModel(
  operator: OperatorModels,
  row: Pick<ChoiceRow, 'providers' | 'standard'>,
  hints: readonly (ModelHint | undefined)[],
): ChosenModel | undefined {
  const all = choosable(operator, row);
  for (const hint of [...hints, row.standard ?? undefined]) {
    const fitting = hint && matching(all, operator, hint);
    if (fitting) return fitting;
  }
  return all.find(({ isOperators, model }) => isOperators && model === operator.standard) ?? all.at(-1);
}

function matching(
  all: readonly ChosenModel[],
  operator: OperatorModels,
  { provider, model }: ModelHint,
): ChosenModel | undefined {
  if (!provider && !model) return undefined;
  const ofProvider = provider
    ? all.filter((each) => (provider === operatorProvider ? each.isOperators : each.provider === provider))
    : all;
  if (model) {
    const named = ofProvider.filter((each) => each.model === model);
    return named.find(({ isOperators }) => provider || isOperators || named.length === 1) ?? named[0];
  }
  if (provider === operatorProvider) return ofProvider.find((each) => each.model === operator.standard);
  return ofProvider.length === 1 ? ofProvider[0] : undefined;
}
