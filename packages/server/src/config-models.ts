import { type ConnectableProvider, connectableProviders } from '@portolan/contract/llm-providers';
import { z } from 'zod';
import type { Setting } from './setting.ts';

const providers = ['built-in', ...connectableProviders] as const;
type Provider = (typeof providers)[number];

/** The settings about model providers; they stand together on the settings page. */
export const modelSettings: readonly Setting[] = [
  {
    name: 'PORTOLAN_LLM_PROVIDER',
    default: '(the provider whose key is set, else built-in)',
    description:
      '`built-in`, `openai`, `anthropic`, `google`, `azure-openai`, `bedrock` or `openai-compatible` (Ollama, vLLM and others).',
  },
  {
    name: 'PORTOLAN_LLM_MODEL',
    default: "(the provider's default)",
    description: 'Model of the default provider; with `azure-openai` the name of the deployment.',
  },
  {
    name: 'PORTOLAN_LLM_MODELS',
    default: '(none)',
    description: 'Further models of the default provider that agents and requests may choose, separated by commas.',
  },
  {
    name: 'PORTOLAN_LLM_BASE_URL',
    default: "(the provider's own)",
    description:
      'Address of the model API; required for `openai-compatible`, and for `azure-openai` (`https://NAME.openai.azure.com`).',
  },
  { name: 'PORTOLAN_LLM_API_KEY', default: '', description: 'Key of the model API.', isSecret: true },
  { name: 'OPENAI_API_KEY', default: '', description: 'Used if no provider is set: selects `openai`.', isSecret: true },
  {
    name: 'ANTHROPIC_API_KEY',
    default: '',
    description: 'Used if no provider is set: selects `anthropic`.',
    isSecret: true,
  },
  {
    name: 'GOOGLE_GENERATIVE_AI_API_KEY',
    default: '',
    description: 'Used if no provider is set: selects `google`.',
    isSecret: true,
  },
  { name: 'AWS_REGION', default: '', description: 'Region of `bedrock`; used for nothing else.' },
  { name: 'AWS_ACCESS_KEY_ID', default: '', description: 'Key of `bedrock`, unless `PORTOLAN_LLM_API_KEY` is set.' },
  { name: 'AWS_SECRET_ACCESS_KEY', default: '', description: 'Secret of that key.', isSecret: true },
  { name: 'AWS_SESSION_TOKEN', default: '', description: 'Token of that key, where it is temporary.', isSecret: true },
  {
    name: 'PORTOLAN_LLM_FALLBACK_PROVIDER',
    default: '(none)',
    description:
      'Answers where the provider above cannot be reached or is overloaded, before it has said anything: `openai`, `anthropic`, `google`, `openai-compatible` or `built-in`. Models that organizations connect themselves have no fallback.',
  },
  { name: 'PORTOLAN_LLM_FALLBACK_MODEL', default: "(the provider's default)", description: 'Model of the fallback.' },
  { name: 'PORTOLAN_LLM_FALLBACK_BASE_URL', default: "(the provider's own)", description: 'Address of the fallback.' },
  { name: 'PORTOLAN_LLM_FALLBACK_API_KEY', default: '', description: 'Key of the fallback.', isSecret: true },
  {
    name: 'PORTOLAN_LLM_PRICES',
    default: '(none: costs are not told)',
    description:
      'What models cost, in US dollars of a million tokens, as JSON: `{"gpt-5": {"input": 1.25, "output": 10}}`. Keys are models, or `provider/model`.',
  },
  {
    name: 'PORTOLAN_LLM_CONNECTABLE',
    default: '(all)',
    description:
      'Providers that organizations may connect with keys of their own, separated by commas; `none` leaves them the models above.',
  },
  {
    name: 'PORTOLAN_AI_CONTENT_DAYS',
    default: '90',
    description:
      'Days that questions, answers and logs of invocations are kept after they ended. Who asked when, and the figures, stay.',
  },
  {
    name: 'PORTOLAN_AI_HISTORY_TOKENS',
    default: '12000',
    description:
      'Tokens that the earlier turns of a conversation may take of each question, counted roughly; what does not fit is shortened, the oldest first. A quarter of what the smallest model in use takes is a good value.',
  },
  {
    name: 'PORTOLAN_AI_CHAT_NOTICE',
    default: '(that it stopped on 1 October 2025)',
    description:
      'What people are told of the chat application since it stopped: in the cutover of an organization, and by its old addresses. Say here what replaces it.',
  },
];

const httpAddress = z.url({ protocol: /^https?$/, error: 'must be an http(s) address' });

const price = z.strictObject({ input: z.number().min(0), output: z.number().min(0) });

export const modelEnvironment = {
  PORTOLAN_LLM_PROVIDER: z.enum(providers, { error: `must be one of ${providers.join(', ')}` }).optional(),
  PORTOLAN_LLM_MODEL: z.string().optional(),
  PORTOLAN_LLM_MODELS: z.string().optional(),
  PORTOLAN_LLM_BASE_URL: httpAddress.optional(),
  PORTOLAN_LLM_API_KEY: z.string().optional(),
  OPENAI_API_KEY: z.string().optional(),
  ANTHROPIC_API_KEY: z.string().optional(),
  GOOGLE_GENERATIVE_AI_API_KEY: z.string().optional(),
  AWS_REGION: z
    .string()
    .regex(/^[a-z]{2}(-[a-z]+){1,2}-\d$/, { error: 'must be a region such as eu-west-1' })
    .optional(),
  AWS_ACCESS_KEY_ID: z.string().optional(),
  AWS_SECRET_ACCESS_KEY: z.string().optional(),
  AWS_SESSION_TOKEN: z.string().optional(),
  PORTOLAN_LLM_FALLBACK_PROVIDER: z
    .enum(['built-in', 'openai', 'anthropic', 'google', 'openai-compatible'], {
      error: 'must be built-in, openai, anthropic, google or openai-compatible',
    })
    .optional(),
  PORTOLAN_LLM_FALLBACK_MODEL: z.string().optional(),
  PORTOLAN_LLM_FALLBACK_BASE_URL: httpAddress.optional(),
  PORTOLAN_LLM_FALLBACK_API_KEY: z.string().optional(),
  PORTOLAN_LLM_PRICES: z
    .string()
    .transform((text, context) => {
      const parsed = z.record(z.string(), price).safeParse(parseJson(text));
      if (parsed.success) return parsed.data;
      context.addIssue('must be JSON such as {"gpt-5": {"input": 1.25, "output": 10}}');
      return z.NEVER;
    })
    .optional(),
  PORTOLAN_LLM_CONNECTABLE: z
    .string()
    .transform((text, context) => {
      const names = text.trim() === 'none' ? [] : text.split(',').flatMap((name) => name.trim() || []);
      const parsed = z.array(z.enum(connectableProviders)).safeParse(names);
      if (parsed.success) return parsed.data;
      context.addIssue(`must be none, or a list of ${connectableProviders.join(', ')}`);
      return z.NEVER;
    })
    .optional(),
  PORTOLAN_AI_CONTENT_DAYS: z.coerce.number({ error: 'must be a number of days' }).int().min(1).max(36_500).default(90),
  PORTOLAN_AI_HISTORY_TOKENS: z.coerce
    .number({ error: 'must be a number of tokens' })
    .int()
    .min(500)
    .max(1_000_000)
    .default(12_000),
  PORTOLAN_AI_CHAT_NOTICE: z.string().trim().min(1).max(1000).optional(),
};

type Environment = z.output<z.ZodObject<typeof modelEnvironment>>;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface ModelConfig {
  readonly provider: Provider;
  readonly model: string | undefined;
  /** Further models that may be chosen. */
  readonly offered: readonly string[];
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly aws?: {
    readonly region: string;
    readonly accessKeyId?: string;
    readonly secretAccessKey?: string;
    readonly sessionToken?: string;
  };
}

export interface AiConfig {
  readonly fallback: Omit<ModelConfig, 'offered' | 'aws'> | undefined;
  readonly prices: Readonly<Record<string, z.output<typeof price>>>;
  readonly connectable: readonly ConnectableProvider[];
  readonly contentDays: number;
  readonly historyTokens: number;
  readonly chatNotice: string | undefined;
}

export function modelContradictions(values: Environment): string[] {
  const problems: string[] = [];
  const { provider, baseUrl, apiKey, aws } = readModelConfig(values);
  const isCompatible = provider === 'openai-compatible';
  if ((isCompatible || provider === 'azure-openai') && !baseUrl) {
    problems.push(`PORTOLAN_LLM_BASE_URL is required with PORTOLAN_LLM_PROVIDER=${provider}.`);
  }
  if (provider === 'bedrock' && !aws) {
    problems.push('AWS_REGION is required with PORTOLAN_LLM_PROVIDER=bedrock.');
  } else if (provider === 'bedrock' && !apiKey && !(aws?.accessKeyId && aws.secretAccessKey)) {
    problems.push('PORTOLAN_LLM_PROVIDER=bedrock needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or an API key.');
  } else if (!['built-in', 'bedrock', 'openai-compatible'].includes(provider) && !apiKey) {
    problems.push(`PORTOLAN_LLM_API_KEY is required with PORTOLAN_LLM_PROVIDER=${provider}.`);
  }
  const fallback = values.PORTOLAN_LLM_FALLBACK_PROVIDER;
  if (fallback === 'openai-compatible' && !values.PORTOLAN_LLM_FALLBACK_BASE_URL) {
    problems.push('PORTOLAN_LLM_FALLBACK_BASE_URL is required with PORTOLAN_LLM_FALLBACK_PROVIDER=openai-compatible.');
  }
  if (fallback && !['built-in', 'openai-compatible'].includes(fallback) && !fallbackKey(values)) {
    problems.push(`PORTOLAN_LLM_FALLBACK_API_KEY is required with PORTOLAN_LLM_FALLBACK_PROVIDER=${fallback}.`);
  }
  return problems;
}

/** The provider that is set; else the one whose key is in the environment; else `built-in`. */
export function readModelConfig(values: Environment): ModelConfig {
  const keys = readApiKeys(values);
  const found = (['openai', 'anthropic', 'google'] as const).find((name) => keys[name]);
  const provider = values.PORTOLAN_LLM_PROVIDER ?? found ?? 'built-in';
  const region = values.AWS_REGION;
  return {
    provider,
    model: values.PORTOLAN_LLM_MODEL,
    offered: (values.PORTOLAN_LLM_MODELS ?? '').split(',').flatMap((name) => name.trim() || []),
    baseUrl: values.PORTOLAN_LLM_BASE_URL?.replace(/\/+$/, ''),
    apiKey: values.PORTOLAN_LLM_API_KEY ?? keys[provider],
    ...(provider === 'bedrock' && region
      ? {
          aws: {
            region,
            ...(values.AWS_ACCESS_KEY_ID ? { accessKeyId: values.AWS_ACCESS_KEY_ID } : {}),
            ...(values.AWS_SECRET_ACCESS_KEY ? { secretAccessKey: values.AWS_SECRET_ACCESS_KEY } : {}),
            ...(values.AWS_SESSION_TOKEN ? { sessionToken: values.AWS_SESSION_TOKEN } : {}),
          },
        }
      : {}),
  };
}

export function readAiConfig(values: Environment): AiConfig {
  const provider = values.PORTOLAN_LLM_FALLBACK_PROVIDER;
  return {
    fallback: provider && {
      provider,
      model: values.PORTOLAN_LLM_FALLBACK_MODEL,
      baseUrl: values.PORTOLAN_LLM_FALLBACK_BASE_URL?.replace(/\/+$/, ''),
      apiKey: fallbackKey(values),
    },
    prices: values.PORTOLAN_LLM_PRICES ?? {},
    connectable: values.PORTOLAN_LLM_CONNECTABLE ?? connectableProviders,
    contentDays: values.PORTOLAN_AI_CONTENT_DAYS,
    historyTokens: values.PORTOLAN_AI_HISTORY_TOKENS,
    chatNotice: values.PORTOLAN_AI_CHAT_NOTICE,
  };
}

function fallbackKey(values: Environment): string | undefined {
  return values.PORTOLAN_LLM_FALLBACK_API_KEY ?? readApiKeys(values)[values.PORTOLAN_LLM_FALLBACK_PROVIDER ?? ''];
}

function readApiKeys(values: Environment): Readonly<Record<string, string | undefined>> {
  return {
    openai: values.OPENAI_API_KEY,
    anthropic: values.ANTHROPIC_API_KEY,
    google: values.GOOGLE_GENERATIVE_AI_API_KEY,
  };
}
