import { Select, Text } from '@mantine/core';
import { useChange, useRead } from '../../api/query.ts';
import { Block } from '../../kit/block.tsx';
import { ErrorState, Reading } from '../../kit/states.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { t } from '../../kit/translate.ts';
import { enabledModels, type Provider, titleOfProvider } from './provider-things.ts';

/** Provider and model as one option value; model names may contain anything but a blank. */
function choiceKey(provider: string, model: string): string {
  return `${provider} ${model}`;
}

/** The model that answers if neither question nor agent names one. */
export function DefaultModel({ providers }: { providers: readonly Provider[] }) {
  const reading = useRead('getLlmDefaults');
  const put = useChange('putLlmDefaults', { staleAfter: ['getLlmDefaults'] });
  const toast = useToast();
  const groups = providers
    .filter(({ enabled }) => enabled)
    .map((each) => ({
      group: titleOfProvider(each.provider),
      items: enabledModels(each).map((model) => ({ value: choiceKey(each.provider, model), label: model })),
    }));
  const choose = async (value: string | null) => {
    const [provider = '', model = ''] = value?.split(' ') ?? [];
    if (!provider || !model) return;
    try {
      await put.mutateAsync({ body: { provider, model } });
      toast(t('{model} is the default model', { model }));
    } catch {
      // the error is shown below the field
    }
  };
  return (
    <Block title={t('Default model')}>
      <Reading of={reading}>
        {({ result }) => {
          const current = choiceKey(result.provider, result.model);
          const isOffered = groups.some(({ items }) => items.some(({ value }) => value === current));
          return (
            <>
              <Select
                label={t('Answers where neither question nor agent names a model')}
                data={groups}
                value={isOffered ? current : null}
                placeholder={t('Choose one')}
                allowDeselect={false}
                searchable
                maw={420}
                disabled={put.isPending}
                onChange={(value) => void choose(value)}
              />
              {!isOffered && (
                <Text size="sm" c="dimmed" mt={4}>
                  {t('The default is {model} of {provider}, which is switched off; the next one that fits answers.', {
                    model: result.model,
                    provider: titleOfProvider(result.provider),
                  })}
                </Text>
              )}
              {put.error && <ErrorState error={put.error} what={t('The default was not changed')} />}
            </>
          );
        }}
      </Reading>
    </Block>
  );
}
