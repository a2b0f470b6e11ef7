import {
  Button,
  Group,
  NativeSelect,
  SegmentedControl,
  Stack,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { ApiError } from '../../api/api.ts';
import { useCommands } from '../../frame/commands.tsx';
import { ErrorState } from '../../parts/states.tsx';
import { type AgentValues, characterCount, problemsOf, promptCharactersMax } from './agent-values.ts';
import classes from './agents.module.css';
import { ToolField } from './tool-field.tsx';

const providers = ['openai', 'anthropic', 'openai-compatible', 'port'];

/** Everything an agent is. What was written stays if the server refuses it. */
export function AgentForm({
  initial,
  verb,
  isBusy,
  error,
  onSave,
}: {
  initial: AgentValues;
  verb: string;
  isBusy: boolean;
  error: Error | null;
  onSave: (values: AgentValues) => void;
}) {
  const [values, setValues] = useState(initial);
  const [isTried, setTried] = useState(false);
  const problems = problemsOf(values);
  const isReady = Object.keys(problems).length === 0;
  const isChanged = JSON.stringify(values) !== JSON.stringify(initial);
  const set = <Key extends keyof AgentValues>(key: Key, value: AgentValues[Key]) =>
    setValues((before) => ({ ...before, [key]: value }));
  const save = () => {
    setTried(true);
    if (isReady && !isBusy) onSave(values);
  };
  useCommands([{ id: 'save-agent', label: verb, keys: 'mod+s', run: save }]);
  const shown = isTried ? problems : {};
  const count = characterCount(values.prompt);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Stack gap="md">
        <TextInput
          label="Title"
          withAsterisk
          value={values.title}
          error={shown.title}
          onChange={({ currentTarget }) => set('title', currentTarget.value)}
        />
        <Textarea
          label="Description"
          description="What it is for, for people who choose between agents"
          autosize
          maxRows={4}
          value={values.description}
          onChange={({ currentTarget }) => set('description', currentTarget.value)}
        />
        <div>
          <Text component="div" fw={500} size="sm" mb={4}>
            Status
          </Text>
          <SegmentedControl
            aria-label="Status"
            data={[
              { value: 'active', label: 'Active' },
              { value: 'inactive', label: 'Inactive' },
            ]}
            value={values.status}
            onChange={(status) => set('status', status)}
          />
          <Text size="sm" c="dimmed" mt={4}>
            An inactive agent answers nobody, and its drafts are void.
          </Text>
        </div>
        <div>
          <Textarea
            label="Prompt"
            withAsterisk
            description="Who it is, what it looks at, how it answers; Markdown"
            autosize
            minRows={8}
            maxRows={24}
            value={values.prompt}
            error={count > promptCharactersMax ? problems.prompt : shown.prompt}
            onChange={({ currentTarget }) => set('prompt', currentTarget.value)}
          />
          <span
            className={classes.count}
            data-near={(count >= promptCharactersMax * 0.9 && count <= promptCharactersMax) || undefined}
            data-over={count > promptCharactersMax || undefined}
          >
            {count.toLocaleString()} / {promptCharactersMax.toLocaleString()} characters
          </span>
        </div>
        <ToolField
          patterns={values.tools}
          isAutomatic={values.executionMode === 'Automatic'}
          issues={issuesOfTools(error)}
          onChange={(tools) => set('tools', tools)}
        />
        <div>
          <Text component="div" fw={500} size="sm" mb={4}>
            Actions
          </Text>
          <SegmentedControl
            aria-label="Actions"
            data={['Approval Required', 'Automatic']}
            value={values.executionMode}
            onChange={(mode) => set('executionMode', mode)}
          />
          <Text size="sm" c="dimmed" mt={4}>
            {values.executionMode === 'Automatic'
              ? 'Actions run at once.'
              : 'Actions become drafts that a person approves. The API calls this Manual Approval.'}
          </Text>
        </div>
        <TagsInput
          label="Conversation starters"
          description="Questions to begin with; Enter adds one"
          value={[...values.starters]}
          onChange={(starters) => set('starters', starters)}
          splitChars={[]}
          clearButtonProps={{ 'aria-label': 'Remove all starters' }}
        />
        <Group grow align="flex-start">
          <NativeSelect
            label="Provider"
            description="A hint; the operator’s default answers otherwise"
            data={[
              { value: '', label: 'No hint' },
              ...new Set([...providers, ...(values.provider ? [values.provider] : [])]),
            ]}
            value={values.provider}
            onChange={({ currentTarget }) => set('provider', currentTarget.value)}
            rightSection={<ChevronDown size={14} aria-hidden="true" />}
          />
          <TextInput
            label="Model"
            description="Counts where the operator offers it"
            value={values.model}
            onChange={({ currentTarget }) => set('model', currentTarget.value)}
          />
        </Group>
        <Textarea
          label="Labels"
          description="A JSON object, kept with the agent"
          autosize
          value={values.labels}
          error={values.labels ? problems.labels : undefined}
          onChange={({ currentTarget }) => set('labels', currentTarget.value)}
        />
        {error && <ErrorState error={error} what="It was not saved" />}
        <Group className={classes.bar ?? ''} data-foot>
          <Button type="submit" loading={isBusy} disabled={!isChanged}>
            {verb}
          </Button>
          {isTried && !isReady && (
            <Text size="sm" c="var(--danger)" role="alert">
              {Object.values(problems).join('. ')}
            </Text>
          )}
          {!isChanged && (
            <Text size="sm" c="dimmed">
              Nothing to save
            </Text>
          )}
        </Group>
      </Stack>
    </form>
  );
}

/** Where the server says which pattern it refuses. */
function issuesOfTools(error: Error | null): ReadonlyMap<number, string> {
  const details = error instanceof ApiError ? error.body?.details : undefined;
  if (!Array.isArray(details)) return new Map();
  return new Map(
    details.flatMap(({ path, message }: { path: string; message: string }) => {
      const index = /\/tools\/(\d+)$/.exec(path)?.[1];
      return index === undefined ? [] : [[Number(index), message] as const];
    }),
  );
}
