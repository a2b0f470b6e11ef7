import type { ConnectableProvider, LlmProviderConfig } from '@portolan/contract/llm-providers';
import { AppError } from '../../../platform/errors.ts';
import { createSecretScope, type SecretScope } from '../../../platform/secrets/secret-scope.ts';
import { findPrice, type ModelSettings, type PriceTable } from '../model/model-settings.ts';

export interface ReachDeps {
  readonly secretValue: (orgId: string, name: string, opened: SecretScope) => Promise<string | undefined>;
  /** Guarded against internal addresses, because people of the organization choose the address. */
  readonly fetch: typeof globalThis.fetch;
  readonly prices: PriceTable;
}

export interface ConfiguredProvider {
  readonly provider: ConnectableProvider;
  readonly config: LlmProviderConfig;
}

export function secretsNamedBy(config: Readonly<Record<string, unknown>>): { field: string; name: string }[] {
  return Object.entries(config)
    .filter(([field]) => field.endsWith('SecretName'))
    .map(([field, name]) => ({ field, name: String(name) }));
}

/**
 * The settings to open a model with, including secret values: they never leave the process.
 * @throws AppError `llm_provider_refused` if a secret is missing
 */
export async function buildModelSettings(
  { secretValue, fetch, prices }: ReachDeps,
  orgId: string,
  { provider, config }: ConfiguredProvider,
  model: string,
): Promise<ModelSettings> {
  const fields = config as Readonly<Record<string, string | undefined>>;
  // models keep their own list of secrets
  const opened = createSecretScope();
  const reveal = async (field: string): Promise<{ value?: string }> => {
    const name = fields[field];
    if (name === undefined) return {};
    const value = await secretValue(orgId, name, opened);
    if (value !== undefined) return { value };
    const message = `The secret ${name}, which the model provider ${provider} needs, is gone; store it again`;
    throw new AppError('llm_provider_refused', message);
  };
  const [key, accessKeyId, secretAccessKey] = await Promise.all(
    ['apiKeySecretName', 'accessKeyIdSecretName', 'secretAccessKeySecretName'].map(reveal),
  );
  const price = findPrice(prices, provider, model);
  const { baseUrl, resourceName, region, guardrailIdentifier, guardrailVersion } = fields;
  return {
    provider,
    model: provider === 'bedrock' ? bedrockModel(model, region ?? '') : model,
    fetch,
    ...(price ? { price } : {}),
    ...(key?.value ? { apiKey: key.value } : {}),
    ...(baseUrl ? { baseUrl } : {}),
    ...(resourceName ? { resourceName } : {}),
    ...(region
      ? {
          aws: {
            region,
            accessKeyId: accessKeyId?.value ?? '',
            secretAccessKey: secretAccessKey?.value ?? '',
            ...(guardrailIdentifier ? { guardrailIdentifier } : {}),
            ...(guardrailVersion ? { guardrailVersion } : {}),
          },
        }
      : {}),
  };
}

const geographies: Readonly<Record<string, string>> = { us: 'us', ca: 'us', eu: 'eu', ap: 'apac' };

/** Maps published names to Bedrock's inference profiles; other names pass unchanged. */
function bedrockModel(model: string, region: string): string {
  if (!/^claude-[a-z0-9-]+-\d{8}$/.test(model)) return model;
  const geography = geographies[region.slice(0, 2)];
  return `${geography ? `${geography}.` : ''}anthropic.${model}-v1:0`;
}
