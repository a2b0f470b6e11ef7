import { Button, Group, Stack, Switch, Text, Textarea } from '@mantine/core';
import { useRef, useState } from 'react';
import { call, errorStatus, open } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { Markdown } from '../../kit/markdown.tsx';
import { ErrorState } from '../../kit/states.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { t } from '../../kit/translate.ts';
import { NeedsSwitch } from '../access/needs.tsx';
import { useMayChangePage } from '../pages/may-change.ts';
import { readAnswer } from './read-answer.ts';
import { type Widget, type WidgetProps, widgetText } from './widget-shape.ts';
import classes from './widgets.module.css';

const spellings = ['use_mcp', 'useMCP', 'useMcp'];

/** The key by which a widget spells the switch, and its value. */
function readSwitch(widget: Widget): { key: string; isOn: boolean } {
  const key = spellings.find((each) => widget[each] !== undefined) ?? 'use_mcp';
  return { key, isOn: widget[key] === true };
}

/** Asks an agent and streams the answer. */
export function AgentWidget({ widget, context }: WidgetProps) {
  const agent = widgetText(widget, 'agentIdentifier');
  const read = useRead(
    'getEntity',
    { params: { blueprint_identifier: '_ai_agent', entity_identifier: agent ?? '' } },
    { isOn: agent !== undefined },
  );
  if (!agent) return <p className={classes.calm}>{t('This widget names no agent, so it stays empty.')}</p>;
  if (read.error)
    return (
      <ErrorState
        error={read.error}
        what={
          errorStatus(read.error) === 404
            ? t('There is no agent {agent}, or not for you', { agent })
            : t('The agent could not be read')
        }
        onRetry={() => void read.refetch()}
      />
    );
  const properties = read.data?.entity.properties;
  const starters = Array.isArray(properties?.['conversation_starters'])
    ? properties['conversation_starters'].filter((each) => typeof each === 'string')
    : [];
  if (properties?.['status'] === 'inactive')
    return (
      <p className={classes.calm}>{t('The agent {title} is inactive.', { title: read.data?.entity.title ?? agent })}</p>
    );
  return (
    <Stack gap="sm">
      <Ask agent={agent} usesMcp={readSwitch(widget).isOn} starters={starters} />
      <McpSwitch widget={widget} page={context.page} />
    </Stack>
  );
}

function McpSwitch({ widget, page }: { widget: Widget; page: string }) {
  const { key, isOn } = readSwitch(widget);
  const [shown, setShown] = useState(isOn);
  const mayChange = useMayChangePage({ identifier: page });
  const toast = useToast();
  const id = widgetText(widget, 'id');
  if (!id) return null;
  const change = async (next: boolean) => {
    setShown(next);
    try {
      await call('patchWidget', { params: { page_identifier: page, widget_id: id }, body: { [key]: next } });
      toast({
        text: next ? t('The widget uses tools over MCP') : t('The widget uses no tools over MCP'),
        undo: () => change(!next),
      });
    } catch (error) {
      setShown(!next);
      toast({
        text:
          errorStatus(error) === 403
            ? t('Only those who may change this page change its widgets.')
            : (error as Error).message,
        kind: 'failure',
      });
    }
  };
  return (
    <NeedsSwitch permit={mayChange} to={t('change the widgets of this page')}>
      <Switch
        size="xs"
        label={t('Use tools over MCP')}
        description={t('Lets the agent look things up in the catalog. The agent never gets more rights than you have.')}
        checked={shown}
        onChange={({ currentTarget }) => void change(currentTarget.checked)}
      />
    </NeedsSwitch>
  );
}

function Ask({ agent, usesMcp, starters }: { agent: string; usesMcp: boolean; starters: readonly string[] }) {
  const [question, setQuestion] = useState('');
  const [answer, setAnswer] = useState('');
  const [state, setState] = useState<'idle' | 'asking' | 'done'>('idle');
  const [error, setError] = useState<unknown>();
  const asked = useRef<AbortController>(undefined);
  const ask = async (prompt: string) => {
    asked.current?.abort();
    const control = new AbortController();
    asked.current = control;
    setQuestion(prompt);
    setAnswer('');
    setError(undefined);
    setState('asking');
    try {
      const response = await open('invokeAgent', {
        params: { agent_identifier: agent },
        query: { stream: true, use_mcp: usesMcp },
        body: { query: prompt },
        signal: control.signal,
      });
      await readAnswer(response, setAnswer);
    } catch (caught) {
      if (!control.signal.aborted) setError(caught);
    } finally {
      if (asked.current === control) setState('done');
    }
  };
  return (
    <>
      {state === 'idle' && starters.length > 0 && (
        <Stack gap={4} align="flex-start">
          {starters.slice(0, 4).map((starter) => (
            <Button key={starter} size="compact-sm" variant="light" onClick={() => void ask(starter)}>
              {starter}
            </Button>
          ))}
        </Stack>
      )}
      {(answer || state === 'asking') && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keys
        <section className={classes.answer} aria-label={t('Answer')} tabIndex={0}>
          {answer ? <Markdown text={answer} /> : <Text c="dimmed">{t('The agent is working on it')}</Text>}
        </section>
      )}
      {error !== undefined && (
        <ErrorState error={error} what={t('The agent did not answer')} onRetry={() => void ask(question)} />
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (question.trim()) void ask(question.trim());
        }}
      >
        <Textarea
          label={t('Your question')}
          autosize
          minRows={1}
          maxRows={6}
          value={question}
          onChange={({ currentTarget }) => setQuestion(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
        />
        <Group mt="xs" gap="xs">
          <Button type="submit" size="xs" disabled={question.trim() === ''} loading={state === 'asking'}>
            {t('Ask')}
          </Button>
          {state === 'asking' && (
            <Button size="xs" variant="default" onClick={() => asked.current?.abort()}>
              {t('Stop')}
            </Button>
          )}
        </Group>
        <Text size="xs" role="status" c="dimmed">
          {state === 'done' && !error ? t('The answer is complete.') : ''}
        </Text>
      </form>
    </>
  );
}
