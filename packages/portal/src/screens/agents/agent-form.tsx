import { Button, Group, NativeSelect, Stack, TagsInput, Text, Textarea, TextInput } from '@mantine/core';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { ApiError } from '../../api/api.ts';
import { useCommands } from '../../frame/commands.tsx';
import { useSentForm } from '../../kit/form.tsx';
import { locale } from '../../kit/language.ts';
import { SegmentedControl } from '../../kit/segmented-control.tsx';
import { ErrorState } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { type AgentValues, characterCount, findAgentProblems, promptCharactersMax } from './agent-values.ts';
import classes from './agents.module.css';
import { ToolField } from './tool-field.tsx';

const providers = ['openai', 'anthropic', 'openai-compatible', 'port'];

/** The form of an agent. Typed values survive a refusal. */
export function AgentForm<Answer>({
  initial,
  verb,
  done,
  send,
  onSaved,
}: {
  initial: AgentValues;
  verb: string;
  done: string;
  send: (values: AgentValues) => Promise<Answer>;
  onSaved?: (answer: Answer) => void;
}) {
  const [isTried, setTried] = useState(false);
  const form = useSentForm({
    initial: { ...initial },
    send,
    staleAfter: ['getEntity', 'listEntities'],
    done,
    ...(onSaved ? { onSaved } : {}),
  });
  const { values, error } = form;
  const problems = findAgentProblems(values);
  const isReady = Object.keys(problems).length === 0;
  const save = () => {
    setTried(true);
    if (isReady) void form.submit();
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
        <TextInput label={t('Title')} withAsterisk {...form.field('title')} error={shown.title} />
        <Textarea
          label={t('Description')}
          description={t("The agent's purpose, for people who choose between agents")}
          autosize
          maxRows={4}
          {...form.field('description')}
        />
        <div>
          <Text component="div" fw={500} size="sm" mb={4}>
            {t('Status')}
          </Text>
          <SegmentedControl
            aria-label={t('Status')}
            data={[
              { value: 'active', label: t('Active') },
              { value: 'inactive', label: t('Inactive') },
            ]}
            {...form.field('status')}
          />
          <Text size="sm" c="dimmed" mt={4}>
            {t('An inactive agent answers nobody, and its drafts are void.')}
          </Text>
        </div>
        <div>
          <Textarea
            label={t('Prompt')}
            withAsterisk
            description={t("The agent's role, its sources and the style of its answers. Markdown")}
            autosize
            minRows={8}
            maxRows={24}
            {...form.field('prompt')}
            error={count > promptCharactersMax ? problems.prompt : shown.prompt}
          />
          <span
            className={classes.count}
            data-near={(count >= promptCharactersMax * 0.9 && count <= promptCharactersMax) || undefined}
            data-over={count > promptCharactersMax || undefined}
          >
            {t('{count} / {promptCharactersMax} characters', {
              count: count.toLocaleString(locale),
              promptCharactersMax: promptCharactersMax.toLocaleString(locale),
            })}
          </span>
        </div>
        <ToolField
          patterns={values.tools}
          isAutomatic={values.executionMode === 'Automatic'}
          issues={issuesOfTools(error)}
          onChange={(tools) => form.set({ tools })}
        />
        <div>
          <Text component="div" fw={500} size="sm" mb={4}>
            {t('Actions')}
          </Text>
          <SegmentedControl
            aria-label={t('Actions')}
            data={[
              { value: 'Approval Required', label: t('Approval required') },
              { value: 'Automatic', label: t('Automatic') },
            ]}
            {...form.field('executionMode')}
          />
          <Text size="sm" c="dimmed" mt={4}>
            {values.executionMode === 'Automatic'
              ? t('Actions run at once.')
              : t('Actions become drafts that a person approves. The API calls this Manual Approval.')}
          </Text>
        </div>
        <div>
          <Text component="div" fw={500} size="sm" mb={4}>
            {t('Sentences that are not backed')}
          </Text>
          <SegmentedControl
            aria-label={t('Sentences that are not backed')}
            data={[
              { value: 'off', label: t('Marked') },
              { value: 'strict', label: t('Held back') },
            ]}
            {...form.field('receipts')}
          />
          <Text size="sm" c="dimmed" mt={4}>
            {values.receipts === 'strict'
              ? t('Answers are checked before they are said, and held back if they are not backed by what was read.')
              : t('Claims without a source are underlined, unless the organization wants such answers held back.')}
          </Text>
        </div>
        <TagsInput
          label={t('Conversation starters')}
          description={t('Questions to begin with; Enter adds one')}
          {...form.field('starters')}
          splitChars={[]}
          clearButtonProps={{ 'aria-label': t('Remove all starters') }}
        />
        <Group grow align="flex-start">
          <NativeSelect
            label={t('Provider')}
            description={t('A hint; the operator’s default answers otherwise')}
            data={[
              { value: '', label: t('No hint') },
              ...new Set([...providers, ...(values.provider ? [values.provider] : [])]),
            ]}
            {...form.field('provider')}
            rightSection={<ChevronDown size={14} aria-hidden="true" />}
          />
          <TextInput
            label={t('Model')}
            description={t('Counts where the operator offers it')}
            {...form.field('model')}
          />
        </Group>
        <Textarea
          label={t('Labels')}
          description={t('A JSON object, kept with the agent')}
          autosize
          {...form.field('labels')}
          error={values.labels ? problems.labels : undefined}
        />
        {error && <ErrorState error={error} what={t('The agent was not saved')} />}
        <Group className={classes.bar ?? ''} data-foot>
          <Button type="submit" loading={form.isBusy} disabled={!form.isDirty}>
            {verb}
          </Button>
          {isTried && !isReady && (
            <Text size="sm" c="var(--danger)" role="alert">
              {Object.values(problems).join('. ')}
            </Text>
          )}
          {!form.isDirty && (
            <Text size="sm" c="dimmed">
              {t('Nothing to save')}
            </Text>
          )}
        </Group>
      </Stack>
    </form>
  );
}

/** The server's message per refused tool pattern, by index. */
function issuesOfTools(error: Error | undefined): ReadonlyMap<number, string> {
  const details = error instanceof ApiError ? error.body?.details : undefined;
  if (!Array.isArray(details)) return new Map();
  return new Map(
    details.flatMap(({ path, message }: { path: string; message: string }) => {
      const index = /\/tools\/(\d+)$/.exec(path)?.[1];
      return index === undefined ? [] : [[Number(index), message] as const];
    }),
  );
}
