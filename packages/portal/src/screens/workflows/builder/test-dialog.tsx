import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { InputOf } from '../../../api/api.ts';
import { useChange } from '../../../api/query.ts';
import { CodeEditor } from '../../../kit/code-editor.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { ErrorState } from '../../../kit/states.tsx';
import { t } from '../../../kit/translate.ts';
import type { Definition } from '../document/definition.ts';
import { PastEvent, PastRun } from './past-samples.tsx';
import { type Pinned, TestResult } from './test-result.tsx';
import { readObject, startSample } from './test-sample.ts';

/** Goes through the workflow as it stands here, with a sample, and shows what each step would do. */
export function TestDialog({ draft, onClose }: { draft: Definition; onClose: () => void }) {
  const triggers = draft.nodes.filter(({ config }) => config.type.endsWith('_TRIGGER'));
  const [trigger, setTrigger] = useState(triggers[0]?.identifier ?? null);
  const outside = new Set(draft.nodes.flatMap(({ compensatedBy }) => compensatedBy ?? []));
  const steps = draft.nodes.filter((node) => !triggers.includes(node) && !outside.has(node.identifier));
  const begins = triggers.find(({ identifier }) => identifier === trigger);
  const [sample, setSample] = useState(() => startSample(begins));
  const [pinned, setPinned] = useState<Pinned>({});
  const [failAt, setFailAt] = useState<string | null>(null);
  const test = useChange('testWorkflow', { staleAfter: [] });
  const take = (value: unknown) => setSample(JSON.stringify(value, null, 2));
  const read = readObject(sample);
  const start = (given: Pinned = pinned) => {
    if (!read) return;
    const body = {
      definition: draft,
      sample: read,
      pinned: given,
      ...(trigger === null ? {} : { trigger }),
      ...(failAt === null ? {} : { failAt }),
    };
    test.mutate({ body } as unknown as InputOf<'testWorkflow'>);
  };
  const pin = (node: string, what: Pinned[string]) => {
    const next = { ...pinned, [node]: what };
    setPinned(next);
    start(next);
  };
  return (
    <Dialog opened onClose={onClose} size="xl" title={t('Test with a sample')}>
      <Stack gap="sm">
        <Group grow align="end">
          <Select
            label={t('Trigger')}
            value={trigger}
            data={triggers.map(({ identifier, title }) => ({ value: identifier, label: title || identifier }))}
            onChange={(next) => {
              setTrigger(next);
              setSample(startSample(triggers.find(({ identifier }) => identifier === next)));
            }}
            allowDeselect={false}
          />
          {begins?.config.type === 'EVENT_TRIGGER' && (
            <PastEvent key={begins.identifier} event={begins.config['event']} onTake={take} />
          )}
          <PastRun workflow={draft.identifier} trigger={trigger ?? ''} onTake={take} />
        </Group>
        <CodeEditor
          value={sample}
          onChange={setSample}
          language="json"
          label={t('Inputs of the form, or the event')}
          minHeight={90}
          maxHeight={220}
        />
        {!read && <Text c="var(--danger)">{t('This is not a JSON object.')}</Text>}
        {steps.length > 0 && (
          <Select
            label={t('Let a step fail')}
            description={t('Shows what would be undone, in which order and with which inputs.')}
            placeholder={t('None')}
            clearable
            value={failAt}
            data={steps.map(({ identifier, title }) => ({ value: identifier, label: title || identifier }))}
            onChange={setFailAt}
          />
        )}
        <Group>
          <Button data-autofocus onClick={() => start()} loading={test.isPending} disabled={!read}>
            {t('Test')}
          </Button>
          <Text size="sm" c="dimmed">
            {t('Nobody is called, and nothing that is written stays.')}
          </Text>
        </Group>
        {test.error && <ErrorState error={test.error} what={t('The test did not run')} />}
        {test.data && <TestResult test={test.data.test} draft={draft} onPin={pin} />}
      </Stack>
    </Dialog>
  );
}
