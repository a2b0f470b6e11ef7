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
  /** Default of the provider if absent. For `azure-openai` the deployment. */
  readonly model?: string;
  /** Address of the provider's API, its own by default; without a path, the usual path of that API is added. */
  readonly baseUrl?: string;
  readonly apiKey?: string;
  /** Further models that requests and agents may choose. */
  readonly offered?: readonly string[];
  /** For `azure-openai`: the resource in the host name. */
  readonly resourceName?: string;
  /** For `bedrock`: region, and keys if there is no `apiKey`. */
  readonly aws?: AwsAccess;
  /** The process's own connections by default. */
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

/** US dollars per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
}

/** Prices set by the operator, by `provider/model` or by model. */
export type PriceTable = Readonly<Record<string, Price>>;

/** Undefined without a price: then no cost is reported. */
export function findPrice(prices: PriceTable, provider: ModelProvider, model: string): Price | undefined {
  if (provider === 'built-in') return { input: 0, output: 0 };
  const find = (key: string) => (Object.hasOwn(prices, key) ? prices[key] : undefined);
  return find(`${provider}/${model}`) ?? find(model);
}

/** Defaults when no model is named. A compatible server has its own default, or takes any name. */
export const defaultModels = {
  'built-in': 'planner-1',
  openai: 'gpt-5',
  anthropic: 'claude-sonnet-4-5',
  google: 'gemini-2.5-pro',
  'azure-openai': 'gpt-5',
  bedrock: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  'openai-compatible': 'default',
} as const satisfies Record<ModelProvider, string>;
