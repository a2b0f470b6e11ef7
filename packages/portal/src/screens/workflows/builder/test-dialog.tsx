import { Alert, Badge, Button, Group, Select, Stack, Text } from '@mantine/core';
import { isRecord } from '@portolan/contract/json-value';
import { useState } from 'react';
import type { AnswerOf, InputOf } from '../../../api/api.ts';
import { useChange, useRead } from '../../../api/query.ts';
import { CodeEditor } from '../../../kit/code-editor.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { ErrorState } from '../../../kit/states.tsx';
import { t } from '../../../kit/translate.ts';
import type { Definition } from '../document/definition.ts';
import { startSample } from './test-sample.ts';

type Tested = AnswerOf<'testWorkflow'>['test'];
type Step = Tested['steps'][number];
type Json = Step['output'];
type Pinned = Readonly<Record<string, { readonly output?: Json; readonly outlet?: string }>>;

/** Goes through the workflow as it stands here, with a sample, and shows what each step would do. */
export function TestDialog({ draft, onClose }: { draft: Definition; onClose: () => void }) {
  const triggers = draft.nodes.filter(({ config }) => config.type.endsWith('_TRIGGER'));
  const [trigger, setTrigger] = useState(triggers[0]?.identifier ?? null);
  const begins = triggers.find(({ identifier }) => identifier === trigger);
  const [sample, setSample] = useState(() => startSample(begins));
  const [pinned, setPinned] = useState<Pinned>({});
  const test = useChange('testWorkflow', { staleAfter: [] });
  const runs = useRead('listWorkflowRuns', { query: { workflow: draft.identifier, limit: 20 } });
  const read = readJson(sample);
  const start = (given: Pinned = pinned) => {
    if (!read) return;
    const body = { definition: draft, sample: read, pinned: given, ...(trigger === null ? {} : { trigger }) };
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
          <PastRun runs={runs.data?.runs ?? []} onTake={(inputs) => setSample(JSON.stringify(inputs, null, 2))} />
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
        <Group>
          <Button data-autofocus onClick={() => start()} loading={test.isPending} disabled={!read}>
            {t('Test')}
          </Button>
          <Text size="sm" c="dimmed">
            {t('Nobody is called, and nothing that is written stays.')}
          </Text>
        </Group>
        {test.error && <ErrorState error={test.error} what={t('The test did not run')} />}
        {test.data && <Result test={test.data.test} draft={draft} onPin={pin} />}
      </Stack>
    </Dialog>
  );
}

/** Takes what an earlier run began with. */
function PastRun({ runs, onTake }: { runs: AnswerOf<'listWorkflowRuns'>['runs']; onTake: (inputs: unknown) => void }) {
  const [run, setRun] = useState<string | null>(null);
  const read = useRead('getWorkflowRun', { params: { run_id: run ?? '' }, query: {} }, { isOn: run !== null });
  const outputs = read.data?.run.variables.outputs as Readonly<Record<string, unknown>> | undefined;
  return (
    <Group align="end" gap="xs">
      <Select
        label={t('Past run')}
        placeholder={runs.length === 0 ? t('None yet') : t('Choose')}
        value={run}
        data={runs.map(({ identifier, createdAt }) => ({
          value: identifier,
          label: `${new Date(createdAt).toLocaleString()} · ${identifier}`,
        }))}
        onChange={setRun}
        disabled={runs.length === 0}
        style={{ flex: 1 }}
      />
      <Button variant="default" disabled={!outputs} onClick={() => onTake(outputs?.['trigger'] ?? {})}>
        {t('Use its inputs')}
      </Button>
    </Group>
  );
}

/** How a test went; without `onPin` it is only shown. */
export function Result({
  test,
  draft,
  onPin,
}: {
  test: Tested;
  draft: Definition;
  onPin?: (node: string, what: Pinned[string]) => void;
}) {
  const ends = {
    SUCCESS: t('The run would succeed.'),
    FAILED: t('The run would fail.'),
    WAITS: t('The run would wait here.'),
    NOT_STARTED: t('The run would not start.'),
  };
  return (
    <section aria-label={t('Result of the test')}>
      <Alert color={test.ended === 'SUCCESS' ? 'green' : test.ended === 'WAITS' ? 'yellow' : 'red'} role="status">
        {ends[test.ended]} {test.message}
        {test.issues.map(({ path, message }) => (
          <div key={`${path} ${message}`}>
            <code>{path}</code> {message}
          </div>
        ))}
      </Alert>
      <ol>
        {test.steps.map((step) => (
          <StepResult key={step.node} step={step} draft={draft} onPin={onPin && ((what) => onPin(step.node, what))} />
        ))}
      </ol>
    </section>
  );
}

function StepResult({
  step,
  draft,
  onPin,
}: {
  step: Step;
  draft: Definition;
  onPin: ((what: Pinned[string]) => void) | undefined;
}) {
  const [answer, setAnswer] = useState<string>();
  const from = {
    step: undefined,
    pinned: t('pinned'),
    'last-run': t('answer of the last run'),
    nothing: t('no answer is known'),
  }[step.from];
  const node = draft.nodes.find(({ identifier }) => identifier === step.node);
  const outlets = ((node?.config['outlets'] ?? []) as readonly { identifier: string; title?: string }[]).filter(
    () => onPin !== undefined && step.status === 'WAITS',
  );
  const typed = answer === undefined ? undefined : readValue(answer);
  return (
    <li>
      <Group gap="xs">
        <strong dir="auto">{step.title || step.node}</strong>
        <Badge variant="light" color={step.status === 'FAILED' ? 'red' : step.status === 'WAITS' ? 'yellow' : 'green'}>
          {step.status}
        </Badge>
        {step.outlet && <Text size="sm">→ {step.outlet}</Text>}
        {from && (
          <Text size="sm" c="dimmed">
            {from}
          </Text>
        )}
      </Group>
      {step.message && <Text size="sm">{step.message}</Text>}
      {outlets.map(({ identifier, title }) => (
        <Button key={identifier} size="xs" variant="default" mr="xs" onClick={() => onPin?.({ outlet: identifier })}>
          {t('Go on with {button}', { button: title || identifier })}
        </Button>
      ))}
      {step.changes.map((change) => (
        <Text size="sm" key={`${change.action} ${change.blueprint} ${change.identifier}`}>
          {change.action} {change.blueprint} <strong dir="auto">{change.identifier}</strong>
        </Text>
      ))}
      <details>
        <summary>{t('Details')}</summary>
        <CodeEditor
          value={JSON.stringify({ input: step.input, output: step.output, changes: step.changes }, null, 2)}
          language="json"
          label={t('Details of {title}', { title: step.title || step.node })}
          maxHeight={260}
        />
      </details>
      {onPin && step.from !== 'step' && step.status === 'SUCCESS' && (
        <details>
          <summary>{t('Pin an answer')}</summary>
          <CodeEditor
            value={answer ?? JSON.stringify(step.output, null, 2)}
            onChange={setAnswer}
            language="json"
            label={t('Answer of {title}', { title: step.title || step.node })}
            maxHeight={200}
          />
          <Button
            size="xs"
            variant="default"
            disabled={typed === undefined}
            onClick={() => typed !== undefined && onPin({ output: typed.value })}
          >
            {t('Pin and test again')}
          </Button>
        </details>
      )}
    </li>
  );
}

function readValue(text: string): { readonly value: Json } | undefined {
  try {
    return { value: JSON.parse(text) as Json };
  } catch {
    return undefined;
  }
}

function readJson(text: string): Readonly<Record<string, Json>> | undefined {
  const value = readValue(text)?.value;
  return isRecord(value) ? (value as Readonly<Record<string, Json>>) : undefined;
}
