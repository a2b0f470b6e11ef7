import { Group, Select, Text } from '@mantine/core';
import { isRecord } from '@portolan/contract/json-value';
import { useState } from 'react';
import { type AnswerOf, call } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { useUrlState } from '../../frame/url-state.ts';
import { useStoredDraft } from '../../kit/draft.ts';
import { SaveBar } from '../../kit/save-bar.tsx';
import { ErrorState } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { MappingEditor } from '../../parts/mapping/mapping-editor.tsx';

const empty = { resources: [] };

/** The configuration of an integration, tried on raw examples that it sent. */
export function IntegrationMapping({ integration }: { integration: AnswerOf<'getIntegration'>['integration'] }) {
  const { installationId } = integration;
  const [isReadable, setReadable] = useState(true);
  const params = { integration_identifier: installationId };
  const { draft, set, round, error, bar } = useStoredDraft<unknown, AnswerOf<'replaceIntegrationConfig'>>({
    latest: integration.config ?? empty,
    name: integration.title || installationId,
    guards: t('the mapping'),
    command: t('Save the mapping'),
    problem: isReadable ? undefined : t('The configuration has to be corrected first.'),
    readNow: async () => {
      const { integration: now } = await call('getIntegration', { params });
      return { draft: now.config ?? empty, by: now.updatedBy };
    },
    // typed as is: the server validates the user's text
    send: (config) => call('replaceIntegrationConfig', { params, body: { config: config as Record<string, unknown> } }),
    savedOf: (answer) => answer.integration.config,
    staleAfter: ['getIntegration', 'listIntegrations', 'getResyncRequest'],
    done: t('The mapping was saved and a resync requested'),
  });
  const sample = useExample(installationId, draft);
  return (
    <>
      <Text c="dimmed" mb="md" size="sm">
        {t('The integration maps by this; here it is tried on the examples that it sent. Saving asks it for a resync.')}
      </Text>
      <MappingEditor
        key={round}
        value={draft}
        label={t('Configuration')}
        holds="configuration of an integration"
        kind={sample.kind}
        onChange={set}
        onReadable={setReadable}
        picker={
          <Group gap="xs" grow>
            <Select
              aria-label={t('Kind')}
              placeholder={t('Kind')}
              data={sample.kinds}
              value={sample.kind ?? null}
              allowDeselect={false}
              onChange={(next) => sample.choose(next ?? undefined, 0)}
              nothingFoundMessage={t('The configuration names no kind')}
            />
            <Select
              aria-label={t('Example')}
              placeholder={t('No example')}
              data={sample.examples}
              disabled={sample.examples.length === 0}
              value={sample.example}
              allowDeselect={false}
              onChange={(next) => sample.choose(sample.kind, Number(next))}
            />
          </Group>
        }
        sample={sample.data}
        withoutSample={t(
          'The integration has sent no example of this kind. Write one here as it comes from the source.',
        )}
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

/** The kinds with examples or resources, and the chosen example. */
function useExample(installationId: string, draft: unknown) {
  const reading = useRead('listKinds', { params: { integration_identifier: installationId } });
  const [asked, setAsked] = useUrlState('/builder/sources/integrations/$integration', 'kind');
  const [index, setIndex] = useState(0);
  const sent = reading.data?.data ?? {};
  const kinds = [...new Set([...kindsIn(draft), ...Object.keys(sent)])];
  const kind = asked ?? kinds[0];
  const examples = kind === undefined ? [] : (sent[kind]?.examples ?? []);
  const chosen = examples[index] ?? examples[0];
  return {
    kinds,
    kind,
    examples: examples.map((_each, place) => ({
      value: String(place),
      label: t('Example {value}', { value: place + 1 }),
    })),
    example: chosen ? String(examples.indexOf(chosen)) : null,
    data: chosen?.data,
    choose: (next: string | undefined, place: number) => {
      setAsked(next);
      setIndex(place);
    },
  };
}

function kindsIn(config: unknown): readonly string[] {
  const resources = isRecord(config) && Array.isArray(config['resources']) ? config['resources'] : [];
  return resources.flatMap((each) => (isRecord(each) && typeof each['kind'] === 'string' ? [each['kind']] : []));
}
