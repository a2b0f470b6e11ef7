import { Button, Checkbox, Group, Select, Stack, TagsInput, TextInput } from '@mantine/core';
import type { ConnectableProvider } from '@portolan/contract';
import { useState } from 'react';
import type { InputOf } from '../../api/api.ts';
import { useChange, useRead } from '../../api/query.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { PasswordField } from '../../parts/password-field.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { ProviderRefusal } from './provider-refusal.tsx';
import {
  type ConfigField,
  enabledModels,
  type Provider,
  providerForms,
  providerNames,
  secretNameOf,
  titleOfProvider,
} from './provider-things.ts';

type Texts = Readonly<Record<string, string>>;
const stale = ['listLlmProviders', 'getLlmDefaults', 'listSecrets'] as const;

/** Connects a provider or changes one. Keys that are typed become secrets; empty ones leave what is stored. */
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
  const [provider, setProvider] = useState<ConnectableProvider>(
    (stored?.provider as ConnectableProvider | undefined) ?? free[0] ?? 'openai',
  );
  const [texts, setTexts] = useState<Texts>(() => textsOf(stored));
  const [keys, setKeys] = useState<Texts>({});
  const [models, setModels] = useState<string[]>(() => [...(stored ? enabledModels(stored) : [])]);
  const [isTested, setTested] = useState(true);
  const save = useSave(stored, onClose);
  const form = providerForms[provider];
  const ownModels = provider === 'openai-compatible';
  const set = (write: (next: (before: Texts) => Texts) => void, name: string) => (value: string) =>
    write((before) => ({ ...before, [name]: value }));
  const hasKey = ({ name }: ConfigField) => Boolean(keys[name]?.trim()) || stored?.config?.[name] !== undefined;
  const isComplete =
    form.keys.every((field) => !field.isRequired || hasKey(field)) &&
    form.texts.every(({ name, isRequired }) => !isRequired || texts[name]?.trim()) &&
    (!ownModels || models.length > 0);
  return (
    <Dialog
      opened
      onClose={onClose}
      size="lg"
      title={stored ? `Change ${titleOfProvider(stored.provider)}` : 'Connect a provider'}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save.send({ provider, texts, keys, models: ownModels ? models : undefined, isTested });
        }}
      >
        <Stack>
          {save.error && <ProviderRefusal error={save.error} what="The provider was not stored" />}
          {!stored && (
            <Select
              label="Provider"
              data={free.map((name) => ({ value: name, label: providerForms[name].title }))}
              value={provider}
              allowDeselect={false}
              data-autofocus
              onChange={(value) => setProvider((value ?? provider) as ConnectableProvider)}
            />
          )}
          {form.texts.map(({ name, label, description, isRequired }) => (
            <TextInput
              key={name}
              label={label}
              description={description}
              required={isRequired ?? false}
              value={texts[name] ?? ''}
              onChange={({ currentTarget }) => set(setTexts, name)(currentTarget.value)}
            />
          ))}
          {form.keys.map(({ name, label, description, isRequired }) => {
            const isKept = stored?.config?.[name] !== undefined;
            return (
              <PasswordField
                key={name}
                label={label}
                shows={label}
                description={isKept ? `Empty: the one in the secret ${stored.config?.[name]} stays` : description}
                required={(isRequired ?? false) && !isKept}
                autoComplete="off"
                value={keys[name] ?? ''}
                onChange={({ currentTarget }) => set(setKeys, name)(currentTarget.value)}
              />
            );
          })}
          {ownModels && (
            <TagsInput
              label="Models that the server has"
              description="Enter after each"
              required
              acceptValueOnBlur
              value={models}
              onChange={setModels}
            />
          )}
          <Checkbox
            label="Ask every model a few words before it is stored"
            checked={isTested}
            onChange={({ currentTarget }) => setTested(currentTarget.checked)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isBusy} disabled={!isComplete}>
              {stored ? 'Save' : 'Connect'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

function textsOf(stored: Provider | undefined): Texts {
  return Object.fromEntries(
    Object.entries(stored?.config ?? {}).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}

interface Filled {
  readonly provider: ConnectableProvider;
  readonly texts: Texts;
  readonly keys: Texts;
  readonly models: readonly string[] | undefined;
  readonly isTested: boolean;
}

/** Stores the keys as secrets first, then the provider that names them. */
function useSave(stored: Provider | undefined, onDone: () => void) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error>();
  const secrets = useRead('listSecrets');
  const createSecret = useChange('createSecret');
  const patchSecret = useChange('patchSecret');
  const create = useChange('createLlmProvider', { staleAfter: [...stale] });
  const replace = useChange('replaceLlmProvider', { staleAfter: [...stale] });
  const toast = useToast();
  const keep = async (secretName: string, secretValue: string, description: string) => {
    const known = (await secrets.refetch()).data?.secrets ?? [];
    if (known.some((each) => each.secretName === secretName)) {
      await patchSecret.mutateAsync({ params: { secret_name: secretName }, body: { secretValue } });
    } else await createSecret.mutateAsync({ body: { secretName, secretValue, description } });
  };
  const configOf = async ({ provider, texts, keys, models }: Filled) => {
    const form = providerForms[provider];
    const named: Record<string, unknown> = { ...(stored?.config ?? {}), ...(models ? { models: [...models] } : {}) };
    for (const { name } of form.texts) {
      const text = texts[name]?.trim();
      if (text) named[name] = text;
      else delete named[name];
    }
    for (const { name, label } of form.keys) {
      const key = keys[name]?.trim();
      if (!key) continue;
      const secret = (stored?.config?.[name] as string | undefined) ?? secretNameOf(provider, name);
      await keep(secret, key, `${label} of ${form.title}`);
      named[name] = secret;
    }
    return named as NonNullable<InputOf<'createLlmProvider'>['body']>['config'];
  };
  const send = async (filled: Filled) => {
    setBusy(true);
    setError(undefined);
    try {
      const config = await configOf(filled);
      const query = { validate_connection: filled.isTested };
      const title = titleOfProvider(filled.provider);
      if (stored) {
        const body = { config, enabled: stored.enabled, overrides: { models: stored.overrides?.models ?? {} } };
        await replace.mutateAsync({ params: { provider: filled.provider }, query, body });
      } else await create.mutateAsync({ query, body: { provider: filled.provider, config } });
      toast(stored ? `${title} was changed` : `${title} is connected`);
      onDone();
    } catch (failure) {
      setError(failure as Error);
    } finally {
      setBusy(false);
    }
  };
  return { send, isBusy, error };
}
