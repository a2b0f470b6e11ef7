import { AppError } from '../../../platform/errors.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { defaultModels, type ModelProvider, type ModelSettings, type Price } from './model-settings.ts';
import { type OpenPartStream, toPartStream } from './part-stream.ts';

/** A model, with the properties that an invocation records. */
export interface AssistantModel {
  readonly openStream: OpenPartStream;
  readonly provider: ModelProvider;
  readonly model: string;
  /** False for the built-in planner; in every answer's metadata. */
  readonly isLanguageModel: boolean;
  /** Sent with every call under the provider's key. */
  readonly providerOptions?: ProviderOptions;
  /** Texts to mask in messages and logs. */
  readonly secrets: readonly string[];
  /** Undefined unless the operator set it. */
  readonly price?: Price;
}

type ProviderOptions = Readonly<
  Record<string, Readonly<Record<string, string | boolean | Readonly<Record<string, string>>>>>
>;

/**
 * Creates the configured model. Loads only that provider's code and reads nothing from the environment: addresses are
 * always passed, because provider packages would otherwise look for them there.
 * @throws AppError `llm_provider_refused` if settings are missing
 */
export async function createModel(settings: ModelSettings): Promise<AssistantModel> {
  const { provider, price } = settings;
  const model = settings.model || defaultModels[provider];
  const { apiKey, aws } = settings;
  const secrets = [apiKey, aws?.accessKeyId, aws?.secretAccessKey, aws?.sessionToken].flatMap((text) => text || []);
  const common = { provider, model, isLanguageModel: true, secrets, ...(price ? { price } : {}) };
  return { ...common, ...(await openers[provider](settings, model)) };
}

type ModelHandle = Pick<AssistantModel, 'openStream'> & Partial<AssistantModel>;
type Open = (settings: ModelSettings, model: string) => Promise<ModelHandle>;

const openers: Readonly<Record<ModelProvider, Open>> = {
  'built-in': async (_settings, model) => {
    const { createPlanner } = await import('./built-in/planner.ts');
    return { isLanguageModel: false, openStream: toPartStream(createPlanner(model)) };
  },
  openai: async (settings, model) => {
    const apiKey = required(settings.apiKey, settings.provider, 'an API key');
    const baseURL = withApiPath(settings.baseUrl ?? 'https://api.openai.com', '/v1');
    const { createOpenAI } = await import('@ai-sdk/openai');
    // the provider must not store catalog data
    const providerOptions = { openai: { store: false } };
    return { providerOptions, openStream: toPartStream(createOpenAI({ apiKey, baseURL, ...reach(settings) })(model)) };
  },
  anthropic: async (settings, model) => {
    const apiKey = required(settings.apiKey, settings.provider, 'an API key');
    const baseURL = withApiPath(settings.baseUrl ?? 'https://api.anthropic.com', '/v1');
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return { openStream: toPartStream(createAnthropic({ apiKey, baseURL, ...reach(settings) })(model)) };
  },
  google: async (settings, model) => {
    const apiKey = required(settings.apiKey, settings.provider, 'an API key');
    const baseURL = withApiPath(settings.baseUrl ?? 'https://generativelanguage.googleapis.com', '/v1beta');
    const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
    return { openStream: toPartStream(createGoogleGenerativeAI({ apiKey, baseURL, ...reach(settings) })(model)) };
  },
  'azure-openai': async (settings, model) => {
    const apiKey = required(settings.apiKey, settings.provider, 'an API key');
    const { baseUrl, resourceName } = settings;
    const host = baseUrl ?? `https://${required(resourceName, settings.provider, 'a resource name')}.openai.azure.com`;
    const baseURL = withApiPath(host, '/openai/v1');
    const { createAzure } = await import('@ai-sdk/azure');
    const providerOptions = { azure: { store: false }, openai: { store: false } };
    return { providerOptions, openStream: toPartStream(createAzure({ apiKey, baseURL, ...reach(settings) })(model)) };
  },
  bedrock: async (settings, model) => {
    const { aws, apiKey = '' } = settings;
    const region = required(aws?.region, settings.provider, 'a region');
    const keys = apiKey
      ? {}
      : {
          accessKeyId: required(aws?.accessKeyId, settings.provider, 'an access key id'),
          secretAccessKey: required(aws?.secretAccessKey, settings.provider, 'a secret access key'),
          ...(aws?.sessionToken ? { sessionToken: aws.sessionToken } : {}),
        };
    const baseURL = (settings.baseUrl ?? `https://bedrock-runtime.${region}.amazonaws.com`).replace(/\/+$/, '');
    const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock');
    // an empty key keeps the package from reading the environment
    const bedrock = createAmazonBedrock({ region, apiKey, ...keys, baseURL, ...reach(settings) });
    return { ...guardrailOptions(settings), openStream: toPartStream(bedrock(model)) };
  },
  'openai-compatible': async (settings, model) => {
    const baseUrl = withApiPath(required(settings.baseUrl, settings.provider, 'an address (base URL)'), '/v1');
    const { createChatStream } = await import('./chat-completions/open-chat-stream.ts');
    // bounds events itself
    const own = settings.fetch ? { fetch: settings.fetch } : {};
    const key = settings.apiKey ? { apiKey: settings.apiKey } : {};
    return { openStream: createChatStream({ baseUrl, model, ...key, ...own }) };
  },
};

function guardrailOptions({ aws }: ModelSettings): { readonly providerOptions?: ProviderOptions } {
  if (!aws?.guardrailIdentifier) return {};
  const { guardrailIdentifier, guardrailVersion = 'DRAFT' } = aws;
  return { providerOptions: { bedrock: { guardrailConfig: { guardrailIdentifier, guardrailVersion } } } };
}

function reach({ fetch }: ModelSettings): { readonly fetch: typeof globalThis.fetch } {
  return { fetch: boundedFetch(fetch) };
}

function required(value: string | undefined, provider: ModelProvider, what: string): string {
  if (value) return value;
  throw new AppError('llm_provider_refused', `The model provider ${provider} needs ${what}`);
}

function withApiPath(baseUrl: string, path: string): string {
  const url = new URL(baseUrl);
  return url.pathname === '/' ? `${url.origin}${path}` : baseUrl.replace(/\/+$/, '');
}
