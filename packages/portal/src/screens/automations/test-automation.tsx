import { Alert, Button, Group, Select, Stack, Text } from '@mantine/core';
import { isRecord } from '@portolan/contract/json-value';
import { useState } from 'react';
import { useChange } from '../../api/query.ts';
import { useCommands } from '../../frame/commands.tsx';
import { CodeEditor } from '../../kit/code-editor.tsx';
import { EmptyState, ErrorState, Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import type { StoredAction } from '../../parts/actions/stored-action.ts';
import classes from './automations.module.css';
import { TestResult } from './test-result.tsx';
import { usePastEvents } from './use-past-events.ts';

/** Shows what the saved automation would do for a past event; sends nothing. */
export function TestAutomation({ automation }: { automation: StoredAction }) {
  const past = usePastEvents(automation.trigger);
  const [chosen, setChosen] = useState<string>();
  const [text, setText] = useState('');
  const [seen, setSeen] = useState('');
  const test = useChange('testAutomation');
  const ask = async (body: { eventId: string } | { event: unknown }) => {
    const input = { params: { action_identifier: automation.identifier }, body: body as never };
    try {
      const { test: tested } = await test.mutateAsync(input);
      const event = JSON.stringify(tested.event, null, 2);
      setText(event);
      setSeen(event);
    } catch {
      // the error is shown below
    }
  };
  const event = readEvent(text);
  const isChanged = text !== seen;
  const again = () => {
    if (isChanged && event) void ask({ event });
    else if (chosen) void ask({ eventId: chosen });
  };
  useCommands([{ id: 'automation.test', label: t('Test with the event'), keys: 'mod+enter', run: again }]);
  return (
    <div className={classes.test}>
      <Stack gap="md">
        <Text c="dimmed" size="sm">
          {t('Tests the saved version. Nothing is stored or sent.')}
        </Text>
        <Reading of={past.reading}>
          {() =>
            past.events.length === 0 ? (
              <EmptyState title={t('Nothing of the kind has happened lately')}>
                {t('Write an event of your own below, and test with it.')}
              </EmptyState>
            ) : (
              <Select
                label={t('Event')}
                placeholder={t('Choose what happened')}
                searchable
                allowDeselect={false}
                maxDropdownHeight={320}
                data={past.events.map(({ id, words }) => ({ value: id, label: words }))}
                value={chosen ?? null}
                onChange={(id) => {
                  if (!id) return;
                  setChosen(id);
                  void ask({ eventId: id });
                }}
              />
            )
          }
        </Reading>
        <div>
          <Text size="sm" fw={500} mb={4}>
            {t('What happened')}
          </Text>
          <CodeEditor
            language="json"
            label={t('Event as JSON')}
            value={text}
            minHeight={200}
            maxHeight={480}
            onChange={setText}
          />
          <Group mt="xs" gap="xs">
            <Button
              variant="default"
              loading={test.isPending}
              disabled={event === undefined && !(chosen && !isChanged)}
              onClick={again}
            >
              {isChanged && seen !== '' ? t('Test with the changed event') : t('Test with this event')}
            </Button>
            {text !== '' && event === undefined && (
              <Text size="sm" c="var(--danger)" role="status">
                {t('The event must be a JSON object.')}
              </Text>
            )}
          </Group>
        </div>
      </Stack>
      <Stack gap="md">
        {test.error && <ErrorState error={test.error} what={t('The automation could not be tested')} />}
        {!test.data && !test.error && (
          <Alert color="gray" title={t('What would be done')}>
            {t('Choose an event, and see whether it would run, why or why not, and what would be sent.')}
          </Alert>
        )}
        {test.data && <TestResult test={test.data.test} />}
      </Stack>
    </div>
  );
}

function readEvent(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    // being typed
    return undefined;
  }
}
