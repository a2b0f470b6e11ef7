import { Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type AnswerOf, call } from '../../../api/api.ts';
import { useStoredDraft } from '../../../kit/draft.ts';
import { SaveBar } from '../../../kit/save-bar.tsx';
import { ErrorState } from '../../../kit/states.tsx';
import { t } from '../../../kit/translate.ts';
import { MappingEditor } from '../../../parts/mapping/mapping-editor.tsx';
import { nameItem, type OwnSource, sourceReads } from './own-source.ts';

/** The mapping of a source, tried on items that its host answers now. */
export function OwnSourceMapping({ source }: { source: OwnSource }) {
  const { identifier, type, title, mapping } = source;
  const params = { source_identifier: identifier };
  const [isReadable, setReadable] = useState(true);
  const [place, setPlace] = useState(0);
  const examples = useQuery({
    queryKey: ['items of a source', identifier],
    queryFn: ({ signal }) => call('checkSource', { body: { type, source: identifier }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    // reading items uses the secrets of the source, which is for those who may change it
    enabled: source.allowed.write,
  });
  const { draft, set, round, error, bar } = useStoredDraft<unknown, AnswerOf<'patchSource'>>({
    latest: mapping,
    name: title,
    guards: t('the mapping'),
    command: t('Save the mapping'),
    problem: isReadable ? undefined : t('The mapping has to be corrected first.'),
    readNow: async () => {
      const { source: now } = await call('getSource', { params });
      return { draft: now.mapping, by: now.updatedBy };
    },
    // typed as is: the server validates the user's text
    send: (next) => call('patchSource', { params, body: { mapping: next as OwnSource['mapping'] } }),
    savedOf: (answer) => answer.source.mapping,
    staleAfter: [...sourceReads],
    done: t('The mapping was saved, and the source is read again'),
  });
  const items = examples.data?.sample.items ?? [];
  const chosen = items[place];
  const failed = examples.data?.checks.find(({ state }) => state === 'failed');
  return (
    <>
      <Text c="dimmed" mb="md" size="sm">
        {t('The mapping is tried on what the source answers now. Saving reads everything again.')}
      </Text>
      <MappingEditor
        key={round}
        value={draft}
        label={t('Mapping')}
        holds="configuration of an integration"
        kind={chosen ? String(chosen['kind']) : undefined}
        onChange={set}
        onReadable={setReadable}
        picker={
          <Select
            aria-label={t('Item')}
            placeholder={examples.isLoading ? t('Reading items') : t('No item')}
            data={items.map((item, index) => ({
              value: String(index),
              label: nameItem(item),
            }))}
            disabled={items.length === 0}
            value={chosen ? String(place) : null}
            allowDeselect={false}
            onChange={(next) => setPlace(Number(next))}
          />
        }
        sample={chosen?.['document']}
        withoutSample={
          failed?.message ??
          examples.error?.message ??
          (examples.isLoading
            ? t('The first items are being read.')
            : source.allowed.write
              ? t('The source answered no item. Write one here.')
              : t('Its items are read for those who may change the source.'))
        }
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
