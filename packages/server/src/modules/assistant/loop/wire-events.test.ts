import { expect, test } from 'vitest';
import { AppError } from '../../../platform/errors.ts';
import { failureEvents, toInvocationEvents } from './wire-events.ts';

test('a short call is one event, marked as the last piece', () => {
  expect(toInvocationEvents({ type: 'tool-call', id: 'call_0', name: 'x', arguments: '{}' })).toEqual([
    { event: 'tool_call', data: { id: 'call_0', name: 'x', arguments: '{}', lastChunk: true } },
  ]);
});

test('a long result comes in pieces that joined are the result; the error mark is on the first', () => {
  const content = 'é'.repeat(20_000);
  const events = toInvocationEvents({
    type: 'tool-result',
    id: 'call_1',
    name: 'x',
    content,
    fullContent: content,
    isError: true,
    durationMs: 1,
  });
  expect(events).toHaveLength(3);
  const pieces = events.map((event) => (event.event === 'tool_result' ? event.data : undefined)!);
  expect(pieces.map(({ content }) => content).join('')).toBe(content);
  expect(pieces.map(({ isError, lastChunk }) => [isError, lastChunk])).toEqual([
    [true, undefined],
    [undefined, undefined],
    [undefined, true],
  ]);
});

test('a failure is told in a sentence when nothing was said, and as an error always', () => {
  const error = new AppError('llm_provider_timeout', 'Too late', { cause: new Error('secret') });
  const told = {
    event: 'error',
    data: { ok: false, error: 'llm_provider_timeout', message: 'Too late', retryable: true },
  };
  expect(failureEvents(error, true)).toEqual([told]);
  expect(failureEvents(error, false)).toEqual([{ event: 'execution', data: 'The invocation failed: Too late' }, told]);
});
