import { expect, test } from 'vitest';
import { AppError } from '../../../platform/errors.ts';
import { createExecutionLog } from './execution-log.ts';
import type { LoopEvent } from './loop-event.ts';

const usage = { inputTokens: 10, outputTokens: 5, steps: 2, toolCalls: 1, unreportedSteps: 0, costUsd: null };
const answered = { provider: 'openai', model: 'gpt-5', firstContentMs: 5, firstTextMs: 6, durationMs: 9 };
const result = (content: string, isError = false): LoopEvent => ({
  type: 'tool-result',
  id: 'call_0',
  name: 'list_entities',
  content,
  fullContent: content,
  isError,
  durationMs: 12.4,
});
const call: LoopEvent = {
  type: 'tool-call',
  id: 'call_0',
  name: 'list_entities',
  arguments: '{"blueprint":"service","query":{"rules":[{"operator":"isEmpty"}]}}',
};

function parseMessages(log: string) {
  const match = /^([\s\S]*?)```json\n(.*)\n```$/.exec(log);
  return { readable: match![1]!, messages: JSON.parse(match![2]!).messages };
}

test('people read the steps first, programs the messages in one fence', () => {
  const log = createExecutionLog('Which have no owner?');
  const events: LoopEvent[] = [
    { type: 'segment', text: 'Looking.\n\n' },
    { type: 'step', step: 1, inputTokens: 5, outputTokens: 2, ...answered },
    call,
    result('{"total":2}'),
    { type: 'segment', text: 'Two: ' },
    { type: 'segment', text: '```js```' },
    { type: 'step', step: 2, inputTokens: 5, outputTokens: 3, ...answered },
    { type: 'finish', answer: 'Two', text: '', reason: 'stop', usage },
  ];
  for (const event of events) log.record(event);
  const { readable, messages } = parseMessages(log.render());
  expect(readable).toBe(
    '1. Called list_entities with blueprint service, query (isEmpty): answered 11 bytes (12 ms)\n2. Answered after 2 steps and 1 tool call\n\n',
  );
  expect(readable).not.toMatch(/[{}`]/);
  expect(messages).toEqual([
    { role: 'user', messageId: 'm1', content: 'Which have no owner?' },
    {
      role: 'assistant',
      messageId: 'm2',
      content: [{ type: 'text', text: 'Looking.\n\n' }],
      usage: { inputTokens: 5, outputTokens: 2 },
      toolCalls: [
        {
          id: 'call_0',
          name: 'list_entities',
          arguments: { blueprint: 'service', query: { rules: [{ operator: 'isEmpty' }] } },
        },
      ],
    },
    { role: 'tool', messageId: 'm3', toolCallId: 'call_0', content: '{"total":2}', durationMs: 12 },
    {
      role: 'assistant',
      messageId: 'm4',
      content: [{ type: 'text', text: 'Two: ```js```' }],
      usage: { inputTokens: 5, outputTokens: 3 },
    },
  ]);
});

test('a failed call and a failed run are told in their words', () => {
  const log = createExecutionLog('x');
  log.record(call);
  log.record(result('{"error":"not_found","message":"No {such} thing"}', true));
  log.record({ type: 'failure', error: new AppError('llm_provider_timeout', 'Too late'), text: '', usage });
  const { readable, messages } = parseMessages(log.render());
  expect(readable).toContain('failed: No such thing');
  expect(readable).toContain('2. Failed: Too late');
  expect(messages[2]).toMatchObject({ role: 'tool', isError: true });
});

test('over its bound the oldest tool results are cut first, and marked', () => {
  const log = createExecutionLog('x', { bounds: { bytesMax: 40_000, messagesMax: 400 } });
  for (let index = 0; index < 3; index++) {
    log.record({ ...call, id: `call_${index}` } as LoopEvent);
    log.record({ ...result(`${index}${'"é'.repeat(4000)}`), id: `call_${index}` } as LoopEvent);
  }
  const text = log.render();
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(40_000);
  const tools = parseMessages(text).messages.filter(({ role }: { role: string }) => role === 'tool');
  expect(tools[0].content).toContain('[cut: the log has a size limit]');
  expect(tools[2].content).not.toContain('[cut');
});
