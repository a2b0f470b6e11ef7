import type { ConnectableProvider } from '@portolan/contract/llm-providers';
import { type AnswerOf, ApiError } from '../../api/api.ts';
import { t } from '../../kit/translate.ts';

export type Provider = AnswerOf<'listLlmProviders'>['result'][number];

/** The identifier that clients use for the operator's own models. */
export const operators = 'port';

/** A text field of a provider's configuration. */
export interface ConfigField {
  readonly name: string;
  readonly label: string;
  readonly description?: string;
  readonly isRequired?: boolean;
}

/** The form of a provider: first its keys, which become secrets, then texts. */
interface ProviderForm {
  readonly title: string;
  readonly keys: readonly ConfigField[];
  readonly texts: readonly ConfigField[];
}

const gateway: ConfigField = {
  name: 'baseUrl',
  label: t('Gateway'),
  description: t("Empty: the provider's own address"),
};
const apiKey: ConfigField = { name: 'apiKeySecretName', label: 'API key', isRequired: true };

export const providerForms: Readonly<Record<ConnectableProvider, ProviderForm>> = {
  openai: { title: 'OpenAI', keys: [apiKey], texts: [gateway] },
  anthropic: { title: 'Anthropic', keys: [apiKey], texts: [gateway] },
  google: { title: 'Google', keys: [apiKey], texts: [gateway] },
  'azure-openai': {
    title: 'Azure OpenAI',
    keys: [apiKey],
    texts: [
      { name: 'resourceName', label: t('Resource'), isRequired: true },
      { name: 'deploymentId', label: t('Deployment'), isRequired: true },
      { ...gateway, description: t('Empty: the address of the resource') },
    ],
  },
  bedrock: {
    title: 'Amazon Bedrock',
    keys: [
      { name: 'accessKeyIdSecretName', label: t('Access key id'), isRequired: true },
      { name: 'secretAccessKeySecretName', label: t('Secret access key'), isRequired: true },
    ],
    texts: [
      { name: 'region', label: t('Region'), description: t('Such as eu-west-1'), isRequired: true },
      { ...gateway, label: t('Private endpoint') },
    ],
  },
  'openai-compatible': {
    title: 'OpenAI-compatible server',
    keys: [{ ...apiKey, description: t('Empty: the server needs none'), isRequired: false }],
    texts: [
      { name: 'baseUrl', label: t('Address'), description: 'Such as https://models.example.com/v1', isRequired: true },
    ],
  },
};

export const providerNames = Object.keys(providerForms) as ConnectableProvider[];

export function titleOfProvider(provider: string): string {
  if (provider === operators) return t("The operator's models");
  return providerForms[provider as ConnectableProvider]?.title ?? provider;
}

/** The name of the secret for a typed key, one per provider and field. */
export function toSecretName(provider: string, field: string): string {
  const what = field.replace(/SecretName$/, '').replaceAll(/[A-Z]/g, (letter) => `_${letter}`);
  return `LLM_${provider}_${what}`.toUpperCase().replaceAll('-', '_');
}

export function enabledModels({ effectiveModels }: Pick<Provider, 'effectiveModels'>): readonly string[] {
  return Object.entries(effectiveModels).flatMap(([model, { enabled }]) => (enabled ? [model] : []));
}

/** The test result of each model, if failed tests are the reason of the refusal. */
export function testedModels(error: unknown): readonly (readonly [model: string, message: string, isValid: boolean])[] {
  const details = error instanceof ApiError ? (error.body?.details as unknown) : undefined;
  const tested = (details as { testedModels?: Record<string, { isValid: boolean; message: string }> } | undefined)
    ?.testedModels;
  return Object.entries(tested ?? {}).map(([model, { isValid, message }]) => [model, message, isValid] as const);
}
