/** Every kind of provider that can be configured. */
export const modelProviders = [
  'built-in',
  'openai',
  'anthropic',
  'google',
  'azure-openai',
  'bedrock',
  'openai-compatible',
] as const;
export type ModelProvider = (typeof modelProviders)[number];

export interface ModelSettings {
  readonly provider: ModelProvider;
  /** The provider's default if absent. For `azure-openai` the name of the deployment. */
  readonly model?: string;
  /** Address of the provider's API. Without a path, the one is taken where the provider's servers answer. */
  readonly baseUrl?: string;
  readonly apiKey?: string;
  /** Further models of the provider that requests and agents may choose. */
  readonly offered?: readonly string[];
  /** Of `azure-openai`: the resource, which names the host. */
  readonly resourceName?: string;
  /** Of `bedrock`: where it runs, and keys where no `apiKey` is given. */
  readonly aws?: AwsAccess;
  /** How the provider is reached; the process's own connections if absent. */
  readonly fetch?: typeof globalThis.fetch;
  readonly price?: Price;
}

export interface AwsAccess {
  readonly region: string;
  readonly accessKeyId?: string;
  readonly secretAccessKey?: string;
  readonly sessionToken?: string;
  readonly guardrailIdentifier?: string;
  readonly guardrailVersion?: string;
}

/** In US dollars, of a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
}

/** What the operator says models cost: by `provider/model`, or by the model alone. */
export type PriceTable = Readonly<Record<string, Price>>;

/** The price of a model; undefined if the operator named none, and then no cost is told. */
export function priceOf(prices: PriceTable, provider: ModelProvider, model: string): Price | undefined {
  if (provider === 'built-in') return { input: 0, output: 0 };
  const find = (key: string) => (Object.hasOwn(prices, key) ? prices[key] : undefined);
  return find(`${provider}/${model}`) ?? find(model);
}

/** Taken where nobody names a model. A compatible server has its own default, or takes any name. */
export const defaultModels = {
  'built-in': 'planner-1',
  openai: 'gpt-5',
  anthropic: 'claude-sonnet-4-5',
  google: 'gemini-2.5-pro',
  'azure-openai': 'gpt-5',
  bedrock: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  'openai-compatible': 'default',
} as const satisfies Record<ModelProvider, string>;
