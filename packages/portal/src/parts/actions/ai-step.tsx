import { Alert, Button, Select, Switch, Textarea } from '@mantine/core';
import { publicAddress } from '../../api/public-address.ts';
import { useRead } from '../../api/query.ts';
import { issueAt } from '../../kit/refusal.ts';
import { Sentence } from '../../kit/sentence.tsx';
import { t } from '../../kit/translate.ts';
import { StructuredField } from '../structured-field.tsx';
import type { BackendFieldsProps } from './backend-fields.types.ts';
import { type AiQuestion, parseQuestion, withQuestion } from './backends.ts';

const assistant = t('(the assistant)');

/** Asks an agent or the assistant: stored as a webhook to the platform's own address. */
export function AiStep({ backend, start, onChange, issues, onProblem }: BackendFieldsProps) {
  const question = parseQuestion(backend);
  const input = { params: { blueprint_identifier: '_ai_agent' }, query: {} };
  const agents = useRead('listEntities', input);
  const set = (changed: Partial<AiQuestion>) =>
    onChange(withQuestion(backend, publicAddress(), { ...question, ...changed }));
  const known = (agents.data?.entities ?? []).flatMap(({ identifier, title }) =>
    identifier ? [{ value: identifier, label: title || identifier }] : [],
  );
  const isKnown = question.agent === undefined || known.some(({ value }) => value === question.agent);
  const place = ['invocationMethod', 'body'] as const;
  return (
    <>
      <Select
        label={t('Who is asked')}
        searchable
        allowDeselect={false}
        data={[
          { value: assistant, label: t('The assistant') },
          ...known,
          ...(isKnown || question.agent === undefined ? [] : [{ value: question.agent, label: question.agent }]),
        ]}
        value={question.agent ?? assistant}
        error={issueAt(issues, 'invocationMethod', 'url')}
        onChange={(next) => set({ agent: next === assistant || next === null ? undefined : next })}
      />
      {question.usesMcp ? null : (
        <Alert color="yellow" title={t('Uses the legacy AI endpoint')}>
          <Sentence
            text="Without <code>use_mcp=true</code> the agent has only the tools of before."
            parts={{ code: <code /> }}
          />
          <Button size="xs" variant="default" mt="xs" display="block" onClick={() => set({ usesMcp: true })}>
            {t('Ask with tools over MCP')}
          </Button>
        </Alert>
      )}
      <Textarea
        label={t('Question')}
        description={t(
          'Answers with the rights of the person who {word}; the answer is an invocation with these labels',
          { word: start === 'event' ? t('saved the automation') : t('runs the action') },
        )}
        autosize
        minRows={4}
        maxRows={16}
        value={question.prompt}
        error={issueAt(issues, ...place, 'prompt') ?? issueAt(issues, ...place, 'userPrompt')}
        onChange={({ currentTarget }) => set({ prompt: currentTarget.value })}
      />
      <StructuredField
        language="json"
        label={t('Labels')}
        description={t('Kept with the invocation, to find its answer by')}
        value={question.labels}
        error={issueAt(issues, ...place, 'labels')}
        onChange={(labels) => set({ labels })}
        onProblem={(problem) => onProblem('labels', problem)}
      />
      {question.agent !== undefined && (
        <Switch
          label={t('Tools over MCP (use_mcp)')}
          checked={question.usesMcp}
          onChange={({ currentTarget }) => set({ usesMcp: currentTarget.checked })}
        />
      )}
    </>
  );
}
