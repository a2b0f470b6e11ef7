import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useRead } from '../../api/query.ts';
import { Block } from '../../kit/block.tsx';
import { Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { useMayAdminister } from '../../parts/access/permit.ts';
import { ReadOnly } from '../../parts/access/read-only.tsx';
import { DefaultModel } from './default-model.tsx';
import { ProviderBlock } from './provider-block.tsx';
import { ProviderForm } from './provider-form.tsx';
import { enabledModels, type Provider, providerNames } from './provider-things.ts';

/** The connected providers, and the default model. */
export function ProvidersTab() {
  const reading = useRead('listLlmProviders');
  const [edited, setEdited] = useState<Provider | null>();
  const mayChange = useMayAdminister();
  return (
    <Reading of={reading} skeleton={<Skeleton height={320} />}>
      {({ result: providers }) => {
        const isAllConnected = providerNames.every((name) => providers.some(({ provider }) => provider === name));
        const canAnswer = providers.some((each) => each.enabled && enabledModels(each).length > 0);
        return (
          <ReadOnly permit={mayChange} to={t('connect and change model providers')}>
            <Stack gap="md">
              {!canAnswer && (
                <Alert color="yellow" title={t('No model may answer')}>
                  {t('Every provider or model is switched off: questions to the assistant are refused.')}
                </Alert>
              )}
              <DefaultModel providers={providers} />
              <Group justify="space-between">
                <Text c="dimmed">{t('Keys are kept as secrets of the organization and never shown again.')}</Text>
                <Button
                  leftSection={<Plus size={16} aria-hidden="true" />}
                  onClick={() => setEdited(null)}
                  disabled={isAllConnected}
                  title={isAllConnected ? t('Every kind of provider is connected') : undefined}
                >
                  {t('Connect a provider')}
                </Button>
              </Group>
              {providers.map((provider) => (
                <ProviderBlock key={provider.provider} provider={provider} onEdit={() => setEdited(provider)} />
              ))}
              <Block title={t('Which model answers')}>
                <ol>
                  <li>{t('The one that a question names, where it is switched on')}</li>
                  <li>{t('The one that the agent names, where it is switched on')}</li>
                  <li>{t('The default model above')}</li>
                  <li>{t('The operator’s usual model, or the last that is switched on')}</li>
                </ol>
              </Block>
              {edited !== undefined && (
                <ProviderForm
                  key={edited?.provider ?? ''}
                  provider={edited ?? undefined}
                  connected={providers.map(({ provider }) => provider)}
                  onClose={() => setEdited(undefined)}
                />
              )}
            </Stack>
          </ReadOnly>
        );
      }}
    </Reading>
  );
}
