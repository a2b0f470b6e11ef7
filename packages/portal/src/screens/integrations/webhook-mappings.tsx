import { Select, Text } from '@mantine/core';
import { useState } from 'react';
import { type AnswerOf, call, type InputOf } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { useUrlState } from '../../frame/url-state.ts';
import { useStoredDraft } from '../../kit/draft.ts';
import { locale } from '../../kit/language.ts';
import { SaveBar } from '../../kit/save-bar.tsx';
import { ErrorState } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { MappingEditor } from '../../parts/mapping/mapping-editor.tsx';
import type { Webhook } from './webhook-values.ts';

type Mappings = NonNullable<InputOf<'patchWebhook'>['body']['mappings']>;

/** The mappings of a webhook, tried on the events it received. */
export function WebhookMappings({
  webhook,
  onDelivery,
}: {
  webhook: Webhook;
  onDelivery: (delivery: string | undefined) => void;
}) {
  const { identifier, title } = webhook;
  const [isReadable, setReadable] = useState(true);
  const sample = useSample(identifier);
  const params = { webhook_identifier: identifier };
  const { draft, set, round, error, bar } = useStoredDraft<unknown, AnswerOf<'patchWebhook'>>({
    latest: webhook.mappings ?? [],
    name: title,
    guards: t('the mappings of {title}', { title }),
    command: t('Save the mappings'),
    problem: isReadable ? undefined : t('The mappings have to be corrected first.'),
    readNow: async () => {
      const { integration: now } = await call('getWebhook', { params });
      return { draft: now.mappings ?? [], by: now.updatedBy };
    },
    // typed as is: the server validates the user's text
    send: (mappings) => call('patchWebhook', { params, body: { mappings: mappings as Mappings } }),
    // as normalized by the server, for example without null keys
    savedOf: ({ integration }) => integration.mappings ?? [],
    staleAfter: ['getWebhook', 'listWebhooks'],
    done: t('The mappings were saved'),
  });
  return (
    <>
      <Text c="dimmed" mb="md" size="sm">
        {t('Every text is a JQ expression over body, headers and queryParams; blueprint is an identifier.')}
      </Text>
      <MappingEditor
        key={round}
        value={draft}
        label={t('Mappings')}
        onChange={set}
        onReadable={setReadable}
        holds="mappings of a webhook"
        picker={
          <Select
            aria-label={t('Event to try them on')}
            placeholder={t('Choose an event')}
            data={sample.choices}
            value={sample.chosen ?? null}
            onChange={(next) => onDelivery(next ?? undefined)}
            nothingFoundMessage={t('Nothing was let in yet')}
          />
        }
        sample={sample.data}
        withoutSample={t('Send an event to the address above, or write one here: body, headers, queryParams.')}
      />
      {error && <ErrorState error={error} what={t('The changes were not saved')} />}
      <SaveBar
        {...bar}
        onDiscard={() => {
          setReadable(true);
          bar.onDiscard();
        }}
      />
    </>
  );
}

/** Accepted events to try the mappings on; the latest unless the address names one. */
function useSample(webhook: string) {
  const [asked] = useUrlState('/builder/sources/webhooks/$webhook', 'delivery');
  const params = { webhook_identifier: webhook };
  const list = useRead('listWebhookDeliveries', { params, query: { limit: 50 } }, { everyMs: 10_000 });
  const kept = (list.data?.deliveries ?? []).filter(({ state }) => state === 'processed' || state === 'failed');
  const [first, setFirst] = useState<string>();
  // keep the first sample: a new event must not replace the one on screen
  if (first === undefined && kept[0]) setFirst(kept[0].id);
  const chosen = asked ?? first;
  const whole = useRead(
    'getWebhookDelivery',
    { params: { ...params, delivery_id: chosen ?? '' } },
    { isOn: chosen !== undefined },
  );
  const choices = kept.map(({ id, receivedAt, state, bytes }) => ({
    value: id,
    label: t('{value} · {word} · {bytes} bytes', {
      value: new Date(receivedAt).toLocaleString(locale),
      word: state === 'failed' ? t('failed') : t('accepted'),
      bytes,
    }),
  }));
  if (asked && !kept.some(({ id }) => id === asked)) choices.push({ value: asked, label: asked });
  return { choices, chosen, data: whole.data?.delivery.payload ?? undefined };
}
