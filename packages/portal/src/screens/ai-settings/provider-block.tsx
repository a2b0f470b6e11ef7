import { Button, Checkbox, Group, Stack, Switch, Text } from '@mantine/core';
import { useChange } from '../../api/query.ts';
import { Block } from '../../kit/block.tsx';
import { useDelete } from '../../kit/delete.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { Sentence } from '../../kit/sentence.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { t } from '../../kit/translate.ts';
import { ProviderRefusal } from './provider-refusal.tsx';
import { enabledModels, operators, type Provider, providerForms, titleOfProvider } from './provider-things.ts';

const stale = ['listLlmProviders', 'getLlmDefaults'] as const;

/** A connected provider: whether it is enabled, its selectable models, and their test. */
export function ProviderBlock({ provider, onEdit }: { provider: Provider; onEdit: () => void }) {
  const replace = useChange('replaceLlmProvider', { staleAfter: [...stale] });
  const remove = useDelete('deleteLlmProvider', { staleAfter: stale });
  const toast = useToast();
  const title = titleOfProvider(provider.provider);
  const isOperators = provider.provider === operators;
  const models = provider.overrides?.models ?? {};
  const change = (next: { enabled?: boolean; models?: typeof models; validates?: boolean }) =>
    replace.mutateAsync({
      params: { provider: provider.provider },
      query: { validate_connection: next.validates ?? false },
      body: { enabled: next.enabled ?? provider.enabled, overrides: { models: next.models ?? models } },
    });
  const tryTo = async (done: string, next: Parameters<typeof change>[0]) => {
    try {
      await change(next);
      toast(done);
    } catch {
      // the error is shown in the block
    }
  };
  const ask = () =>
    remove.ask({
      input: { params: { provider: provider.provider } },
      name: title,
      consequence: t('Runs that have begun go on; from now on its models answer nothing. Its secrets stay.'),
      verb: t('Disconnect'),
      past: 'disconnected',
    });
  return (
    <Block title={title}>
      <Stack gap="sm">
        {replace.error && <ProviderRefusal error={replace.error} what={t('{title} was not changed', { title })} />}
        <Group justify="space-between">
          <Switch
            label={provider.enabled ? t('On') : t('Off')}
            aria-label={t('Use {title}', { title })}
            checked={provider.enabled}
            disabled={replace.isPending}
            onChange={({ currentTarget }) =>
              void tryTo(`${title} ${currentTarget.checked ? 'is used' : t('is not used any more')}`, {
                enabled: currentTarget.checked,
              })
            }
          />
          {!isOperators && (
            <Group gap={4}>
              <Button
                size="xs"
                variant="default"
                loading={replace.isPending && replace.variables?.query?.['validate_connection'] === true}
                aria-label={t('Test {title}', { title })}
                onClick={() =>
                  void tryTo(t('Every model of {title} that is on has answered', { title }), { validates: true })
                }
              >
                {t('Test')}
              </Button>
              <Button size="xs" variant="default" aria-label={t('Change {title}', { title })} onClick={onEdit}>
                {t('Change')}
              </Button>
              <Button
                size="xs"
                variant="subtle"
                color="red"
                aria-label={t('Disconnect {title}', { title })}
                onClick={() => void ask()}
              >
                {t('Disconnect')}
              </Button>
            </Group>
          )}
        </Group>
        <fieldset style={{ border: 0, margin: 0, padding: 0 }}>
          <Text component="legend" size="sm" fw={500} mb={4}>
            {t('Models that may be chosen')}
          </Text>
          <Stack gap={6}>
            {Object.entries(provider.effectiveModels).map(([model, { enabled }]) => (
              <Checkbox
                key={model}
                label={<code>{model}</code>}
                checked={enabled}
                disabled={replace.isPending}
                onChange={({ currentTarget }) =>
                  void tryTo(switchedText(model, currentTarget.checked), {
                    models: { ...models, [model]: { enabled: currentTarget.checked } },
                  })
                }
              />
            ))}
          </Stack>
        </fieldset>
        <Details provider={provider} />
      </Stack>
    </Block>
  );
}

function Details({ provider }: { provider: Provider }) {
  if (provider.provider === operators) {
    return (
      <Text size="sm" c="dimmed">
        {t('The operator of this installation chose them and pays for them. {count} may be used.', {
          count: enabledModels(provider).length,
        })}
      </Text>
    );
  }
  const form = providerForms[provider.provider as keyof typeof providerForms];
  const config = provider.config ?? {};
  const fields = [...(form?.keys ?? []), ...(form?.texts ?? [])].filter(({ name }) => config[name] !== undefined);
  return (
    <Text size="sm" c="dimmed" component="div">
      {fields.map(({ name, label }) => (
        <div key={name}>
          {label}: {name.endsWith('SecretName') && `${t('in the secret')} `}
          <code>{String(config[name])}</code>
        </div>
      ))}
      {provider.updatedAt && (
        <div>
          <Sentence text="Changed <time/> by" parts={{ time: <RelativeTime at={provider.updatedAt} /> }} />{' '}
          {provider.updatedBy}
        </div>
      )}
    </Text>
  );
}

function switchedText(model: string, isOn: boolean): string {
  return isOn ? t('{model} was switched on', { model }) : t('{model} was switched off', { model });
}
