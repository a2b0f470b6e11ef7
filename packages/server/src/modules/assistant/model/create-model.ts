import { AppError } from '../../../platform/errors.ts';
import { type OpenPartStream, partStreamsOf } from './part-stream.ts';

/** The providers that can be configured here. */
export const modelProviders = ['built-in', 'openai', 'openai-compatible', 'anthropic'] as const;
export type ModelProvider = (typeof modelProviders)[number];

export interface ModelSettings {
  readonly provider: ModelProvider;
  /** The provider's default if absent. */
  readonly model?: string;
  /** Address of the provider's API. Without a path, `/v1` is taken, where all known servers answer. */
  readonly baseUrl?: string;
  readonly apiKey?: string;
  /** Further models of the provider that requests and agents may choose. */
  readonly offered?: readonly string[];
}

/** A model, and what an invocation records of it. */
export interface AssistantModel {
  readonly openStream: OpenPartStream;
  readonly provider: ModelProvider;
  readonly model: string;
  /** False for the built-in planner, and said so in every answer's metadata. */
  readonly isLanguageModel: boolean;
  /** Sent with every call, under the provider's own key. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, string | boolean>>>>;
  /** Texts that must never show in a message or a log. */
  readonly secrets: readonly string[];
}

/** Taken where the operator names no model. A compatible server has its own default, or takes any name. */
export const defaultModels = {
  'built-in': 'planner-1',
  openai: 'gpt-5',
  'openai-compatible': 'default',
  anthropic: 'claude-sonnet-4-5',
} as const satisfies Record<ModelProvider, string>;

/**
 * The configured model. Only that provider's code is loaded, and nothing is read from the environment.
 *
 * @throws AppError `llm_provider_refused` if the settings lack what the provider needs
 */
export async function createModel(settings: ModelSettings): Promise<AssistantModel> {
  const { provider } = settings;
  const model = settings.model || defaultModels[provider];
  const secrets = settings.apiKey ? [settings.apiKey] : [];
  const common = { provider, model, isLanguageModel: true, secrets };
  const address = settings.baseUrl ? { baseURL: withApiPath(settings.baseUrl) } : {};
  switch (provider) {
    case 'built-in': {
      const { createPlanner } = await import('./built-in/planner.ts');
      return { ...common, isLanguageModel: false, openStream: partStreamsOf(createPlanner(model)) };
    }
    case 'openai': {
      const apiKey = required(settings.apiKey, provider, 'an API key');
      const { createOpenAI } = await import('@ai-sdk/openai');
      // nothing of a catalog is left behind on the provider's side
      const providerOptions = { openai: { store: false } };
      return { ...common, providerOptions, openStream: partStreamsOf(createOpenAI({ apiKey, ...address })(model)) };
    }
    case 'anthropic': {
      const apiKey = required(settings.apiKey, provider, 'an API key');
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return { ...common, openStream: partStreamsOf(createAnthropic({ apiKey, ...address })(model)) };
    }
    case 'openai-compatible': {
      const baseUrl = withApiPath(required(settings.baseUrl, provider, 'an address (base URL)'));
      const { chatStreamsOf } = await import('./chat-completions/open-chat-stream.ts');
      const key = settings.apiKey ? { apiKey: settings.apiKey } : {};
      return { ...common, openStream: chatStreamsOf({ baseUrl, model, ...key }) };
    }
  }
}

function required(value: string | undefined, provider: ModelProvider, what: string): string {
  if (value) return value;
  throw new AppError('llm_provider_refused', `The model provider ${provider} needs ${what}`);
}

function withApiPath(baseUrl: string): string {
  const url = new URL(baseUrl);
  return url.pathname === '/' ? `${url.origin}/v1` : baseUrl.replace(/\/+$/, '');
}
