import type { ReceivedInvocationEvent } from '@portolan/contract/invocation-stream';
import { describe, expect, test } from 'vitest';
import { answerText, noAnswer, shownParts, withEvent } from './answer-events.ts';

const answered = (...events: ReceivedInvocationEvent[]) =>
  events.reduce((answer, event, index) => withEvent(answer, event, index * 100), noAnswer);

const letters = (sequence: number, text: string): ReceivedInvocationEvent => ({
  id: `a:b:${sequence}`,
  event: 'text_delta',
  data: { text },
});
const segment = (sequence: number, data: string): ReceivedInvocationEvent => ({
  id: `a:b:${sequence}`,
  event: 'execution',
  data,
});

describe('text', () => {
  test('letters are shown at once, and the segment that repeats them takes their place', () => {
    expect(answerText(answered(letters(1, 'Hel'), letters(2, 'lo')))).toBe('Hello');
    expect(answerText(answered(letters(1, 'Hel'), letters(2, 'lo'), segment(3, 'Hello\n\n')))).toBe('Hello\n\n');
  });

  test('letters that are ahead of their segment stay', () => {
    expect(answerText(answered(letters(1, 'Hello wor'), segment(2, 'Hello ')))).toBe('Hello wor');
  });

  test('what a stopped run had said stays before the sentence that ends it', () => {
    expect(answerText(answered(letters(1, 'Half a '), segment(2, 'Cancelled.')))).toBe('Half a \n\nCancelled.');
  });

  test('events that come once more change nothing', () => {
    const once = answered(segment(1, 'one '), segment(2, 'two'));
    expect(withEvent(withEvent(once, segment(1, 'one '), 9), segment(2, 'two'), 9)).toBe(once);
  });
});

test('a call is put together from its pieces, between the texts around it', () => {
  const { parts } = answered(
    segment(1, 'Before.'),
    { id: 'a:b:2', event: 'tool_call', data: { id: 'call_0', name: 'list_entities', arguments: '{"a"' } },
    { id: 'a:b:3', event: 'tool_call', data: { id: 'call_0', arguments: ':1}', lastChunk: true } },
    { id: 'a:b:4', event: 'tool_result', data: { id: 'call_0', content: 'no', isError: true } },
    { id: 'a:b:5', event: 'tool_result', data: { id: 'call_0', content: 'thing', lastChunk: true } },
    segment(6, 'After.'),
  );
  expect(parts.map(({ kind }) => kind)).toEqual(['text', 'tool', 'text']);
  expect(parts[1]).toMatchObject({ name: 'list_entities', arguments: '{"a":1}', result: 'nothing', isError: true });
});

test('done ends it, and events that are not known change nothing but the place to go on from', () => {
  const unknown = answered({ id: 'a:b:7', event: 'unknown', name: 'later', data: '' });
  expect(unknown).toEqual({ ...noAnswer, lastEventId: 'a:b:7' });
  const ended = answered(letters(1, 'cut'), { id: 'a:b:2', event: 'done', data: {} as never });
  expect(ended.end).toBeDefined();
  expect(shownParts(ended)).toEqual([{ kind: 'text', text: 'cut' }]);
});
