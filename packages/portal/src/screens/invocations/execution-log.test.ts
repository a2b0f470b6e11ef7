import { expect, test } from 'vitest';
import { parseMessages, readSteps, toTimeline } from './execution-log.ts';

const block = JSON.stringify({
  messages: [
    { role: 'user', messageId: 'm1', content: 'Which?' },
    {
      role: 'assistant',
      content: [{ type: 'text', text: 'Looking.' }],
      toolCalls: [
        { id: 'call_0', name: 'list_entities', arguments: { blueprint: 'service' } },
        { id: 'call_1', name: 'get_entity', arguments: {} },
      ],
    },
    { role: 'tool', toolCallId: 'call_0', content: '{"total":2}', durationMs: 12 },
    { role: 'tool', toolCallId: 'call_1', content: 'gone', isError: true, durationMs: 3 },
    { role: 'assistant', content: 'Two.' },
  ],
});
const log = `1. Called list_entities\n2. Answered\n\n\`\`\`json\n${block}\n\`\`\``;

test('calls come with their results and the turn that asked for them', () => {
  expect(toTimeline(parseMessages(log))).toEqual([
    {
      id: 'call_0',
      name: 'list_entities',
      arguments: '{"blueprint":"service"}',
      turn: 1,
      result: '{"total":2}',
      isError: false,
      durationMs: 12,
    },
    { id: 'call_1', name: 'get_entity', arguments: '{}', turn: 1, result: 'gone', isError: true, durationMs: 3 },
  ]);
  expect(readSteps(log)).toBe('1. Called list_entities\n2. Answered');
});

test.each(['', 'no log', '```json\n{"messages":[null, 3, {"toolCalls":[null]}]}\n```', '```json\n{broken\n```'])(
  'a log that nobody can read shows nothing: %j',
  (text) => {
    expect(() => toTimeline(parseMessages(text))).not.toThrow();
  },
);
