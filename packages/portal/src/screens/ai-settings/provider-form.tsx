import { Checkbox, Select, TagsInput, TextInput } from '@mantine/core';
import type { ConnectableProvider } from '@portolan/contract/llm-providers';
import type { ChangeEvent } from 'react';
import { call, type InputOf } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { DialogForm, useSentForm } from '../../kit/form.tsx';
import { PasswordField } from '../../kit/password-field.tsx';
import { t } from '../../kit/translate.ts';
import { ProviderRefusal } from './provider-refusal.tsx';
import {
  type ConfigField,
  enabledModels,
  type Provider,
  providerForms,
  providerNames,
  titleOfProvider,
  toSecretName,
} from './provider-things.ts';

type Texts = Readonly<Record<string, string>>;

/** Connects or changes a provider. Typed keys become secrets; empty fields keep the stored ones. */
export function ProviderForm({
  provider: stored,
  connected,
  onClose,
}: {
  provider: Provider | undefined;
  connected: readonly string[];
  onClose: () => void;
}) {
  const free = providerNames.filter((name) => !connected.includes(name));
  const first = (stored?.provider ?? free[0] ?? 'openai') as ConnectableProvider;
  const send = useSend(stored);
  const form = useSentForm({
    initial: {
      provider: first,
      texts: toTexts(stored),
      keys: {} as Texts,
      models: stored ? [...enabledModels(stored)] : [],
      isTested: true,
    },
    send,
    staleAfter: ['listLlmProviders', 'getLlmDefaults', 'listSecrets'],
    done: ({ provider }) => `${titleOfProvider(provider)} ${stored ? 'was changed' : 'is connected'}`,
    onSaved: onClose,
  });
  const { provider, texts, keys, models } = form.values;
  const shape = providerForms[provider];
  const ownModels = provider === 'openai-compatible';
  const typed = (group: 'texts' | 'keys', name: string) => ({
    value: form.values[group][name] ?? '',
    onChange: ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement>) =>
      form.set({ [group]: { ...form.values[group], [name]: value } }),
  });
  const hasKey = ({ name }: ConfigField) => Boolean(keys[name]?.trim()) || stored?.config?.[name] !== undefined;
  const isComplete =
    shape.keys.every((field) => !field.isRequired || hasKey(field)) &&
    shape.texts.every(({ name, isRequired }) => !isRequired || texts[name]?.trim()) &&
    (!ownModels || models.length > 0);
  return (
    <DialogForm
      form={form}
      size="lg"
      title={stored ? t('Change {provider}', { provider: titleOfProvider(stored.provider) }) : t('Connect a provider')}
      verb={stored ? t('Save') : t('Connect')}
      refusal={(error) => <ProviderRefusal error={error} what={t('The provider was not stored')} />}
      isReady={isComplete}
      onClose={onClose}
    >
      {!stored && (
        <Select
          label={t('Provider')}
          data={free.map((name) => ({ value: name, label: providerForms[name].title }))}
          allowDeselect={false}
          data-autofocus
          {...form.field('provider')}
        />
      )}
      {shape.texts.map(({ name, label, description, isRequired }) => (
        <TextInput
          key={name}
          label={label}
          description={description}
          required={isRequired ?? false}
          {...typed('texts', name)}
        />
      ))}
      {shape.keys.map(({ name, label, description, isRequired }) => {
        const isKept = stored?.config?.[name] !== undefined;
        return (
          <PasswordField
            key={name}
            label={label}
            shows={label}
            description={
              isKept
                ? t('Empty: the one in the secret {config} stays', { config: String(stored.config?.[name]) })
                : description
            }
            required={(isRequired ?? false) && !isKept}
            autoComplete="off"
            {...typed('keys', name)}
          />
        );
      })}
      {ownModels && (
        <TagsInput
          label={t('Models that the server has')}
          description={t('Enter after each')}
          required
          acceptValueOnBlur
          {...form.field('models')}
        />
      )}
      <Checkbox label={t('Ask every model a few words before it is stored')} {...form.box('isTested')} />
    </DialogForm>
  );
}

function toTexts(stored: Provider | undefined): Texts {
  return Object.fromEntries(
    Object.entries(stored?.config ?? {}).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}

interface FilledForm {
  readonly provider: ConnectableProvider;
  readonly texts: Texts;
  readonly keys: Texts;
  readonly models: readonly string[];
  readonly isTested: boolean;
}

/** Stores the keys as secrets first, then the provider that refers to them. */
function useSend(stored: Provider | undefined) {
  const secrets = useRead('listSecrets');
  const keep = async (secretName: string, secretValue: string, description: string) => {
    const known = (await secrets.refetch()).data?.secrets ?? [];
    if (known.some((each) => each.secretName === secretName)) {
      await call('patchSecret', { params: { secret_name: secretName }, body: { secretValue } });
    } else await call('createSecret', { body: { secretName, secretValue, description } });
  };
  const configOf = async ({ provider, texts, keys, models }: FilledForm) => {
    const form = providerForms[provider];
    const named: Record<string, unknown> = {
      ...(stored?.config ?? {}),
      ...(provider === 'openai-compatible' ? { models: [...models] } : {}),
    };
    for (const { name } of form.texts) {
      const text = texts[name]?.trim();
      if (text) named[name] = text;
      else delete named[name];
    }
    for (const { name, label } of form.keys) {
      const key = keys[name]?.trim();
      if (!key) continue;
      const secret = (stored?.config?.[name] as string | undefined) ?? toSecretName(provider, name);
      await keep(secret, key, t('{label} of {title}', { label, title: form.title }));
      named[name] = secret;
    }
    return named as NonNullable<InputOf<'createLlmProvider'>['body']>['config'];
  };
  return async (filled: FilledForm): Promise<void> => {
    const config = await configOf(filled);
    const query = { validate_connection: filled.isTested };
    if (!stored) await call('createLlmProvider', { query, body: { provider: filled.provider, config } });
    else {
      const body = { config, enabled: stored.enabled, overrides: { models: stored.overrides?.models ?? {} } };
      await call('replaceLlmProvider', { params: { provider: filled.provider }, query, body });
    }
  };
}
