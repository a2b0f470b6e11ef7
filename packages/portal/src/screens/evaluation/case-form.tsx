import { Alert, Button, Group, List, Stack, TagsInput, Text, Textarea, TextInput } from '@mantine/core';
import { toCase } from '@portolan/evaluation';
import { useState } from 'react';
import { CodeEditor } from '../../kit/code-editor.tsx';
import { FieldProblem, useSentForm } from '../../kit/form.tsx';
import { ErrorState } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { browserGraderKit } from './browser-evaluation.ts';
import { evaluationReads } from './evaluation-reads.ts';

export interface CaseValues extends Record<string, unknown> {
  identifier: string;
  question: string;
  agent: string;
  tags: string[];
  /** JSON. */
  expect: string;
  setup: string;
}

export const emptyCase: CaseValues = { identifier: '', question: '', agent: '', tags: [], expect: '[]', setup: '' };

/** What stands in the form of a case that exists. */
export function toCaseValues(entity: {
  readonly identifier?: string | undefined;
  readonly properties?: Readonly<Record<string, unknown>> | undefined;
  readonly relations?: Readonly<Record<string, unknown>> | undefined;
}): CaseValues {
  const { question, expect, setup, tags } = entity.properties ?? {};
  return {
    identifier: entity.identifier ?? '',
    question: String(question ?? ''),
    agent: String(entity.relations?.['agent'] ?? ''),
    tags: Array.isArray(tags) ? tags.map(String) : [],
    expect: JSON.stringify(expect ?? [], null, 2),
    setup: setup ? JSON.stringify(setup, null, 2) : '',
  };
}

/** What is sent for the values. @throws FieldProblem for what is no JSON */
export function toCaseBody({ identifier, question, agent, tags, expect, setup }: CaseValues) {
  return {
    ...(identifier ? { identifier } : {}),
    title: question.trim().slice(0, 100),
    properties: { question, expect: parse('expect', expect), tags, ...(setup ? { setup: parse('setup', setup) } : {}) },
    relations: agent ? { agent } : ({} as { readonly agent?: string }),
  };
}

function parse(field: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new FieldProblem(field, t('This is no JSON: {message}', { message: (error as Error).message }));
  }
}

/** The form of a case. What is wrong with its graders is told before anything is sent. */
export function CaseForm<Answer>({
  initial,
  isNew,
  verb,
  send,
  onSaved,
}: {
  initial: CaseValues;
  isNew: boolean;
  verb: string;
  send: (body: ReturnType<typeof toCaseBody>) => Promise<Answer>;
  onSaved: (answer: Answer) => void;
}) {
  const [issues, setIssues] = useState<readonly string[]>([]);
  const form = useSentForm({
    initial,
    staleAfter: evaluationReads,
    done: t('The case was saved'),
    guards: t('The case'),
    onSaved,
    send: async (values) => {
      const body = toCaseBody(values);
      const found: { path: string; message: string }[] = [];
      toCase(body as never, browserGraderKit, found);
      // a schema is checked by the command line; here it is only kept
      const wrong = found.filter(({ message }) => !message.startsWith('is for the command line'));
      setIssues(wrong.map(({ path, message }) => `${path.slice(path.indexOf('/') + 1)}: ${message}`));
      if (wrong.length > 0) throw new FieldProblem('expect', t('The case is not written as it has to be.'));
      return send(body);
    },
  });
  return (
    <form onSubmit={(event) => void form.submit(event)}>
      <Stack gap="md" maw={720}>
        <Textarea label={t('Question')} withAsterisk autosize minRows={2} {...form.field('question')} />
        {isNew && (
          <TextInput
            label={t('Identifier')}
            description={t('Made by the server if it is empty')}
            {...form.field('identifier')}
          />
        )}
        <TextInput
          label={t('Agent')}
          description={t('Its identifier; without one the assistant is asked')}
          {...form.field('agent')}
        />
        <TagsInput
          label={t('Tags')}
          {...form.field('tags')}
          clearButtonProps={{ 'aria-label': t('Remove all tags') }}
        />
        <div>
          <Text fw={500} size="sm">
            {t('Expected')}
          </Text>
          <Text size="sm" c="dimmed">
            {t('A JSON list of graders. The answer is right if all of them pass.')}
          </Text>
          <CodeEditor
            language="json"
            label={t('Expected')}
            value={form.values.expect}
            onChange={(expect) => form.set({ expect })}
            minHeight={160}
          />
          {form.field('expect').error && (
            <Alert color="red" role="alert" mt="xs" title={form.field('expect').error}>
              <List size="sm">
                {issues.map((issue) => (
                  <List.Item key={issue}>{issue}</List.Item>
                ))}
              </List>
            </Alert>
          )}
        </div>
        <Textarea
          label={t('Setup')}
          description={t('A JSON object with "systemPrompt" and "tools", sent along with the question')}
          autosize
          {...form.field('setup')}
        />
        {form.error && <ErrorState error={form.error} what={t('The case was not saved')} />}
        <Group>
          <Button type="submit" loading={form.isBusy}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
