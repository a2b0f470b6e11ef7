import type { ReceivedInvocationEvent } from '@portolan/contract/invocation-stream';
import { describe, expect, test } from 'vitest';
import { createTestContext } from '../../test/test-context.ts';
import { createJsonPrinter, createTextPrinter } from './answer-printer.ts';

const delta = (text: string): ReceivedInvocationEvent => ({ event: 'text_delta', data: { text } });
const segment = (data: string): ReceivedInvocationEvent => ({ event: 'execution', data });
const call = (data: object): ReceivedInvocationEvent => ({ event: 'tool_call', data }) as ReceivedInvocationEvent;

function printed(events: readonly ReceivedInvocationEvent[], isTerminal = false) {
  const { context, out, err } = createTestContext({ isTerminal });
  const printer = createTextPrinter(context);
  for (const event of events) printer.show(event);
  printer.end();
  return { out: out(), err: err() };
}

describe('the answer', () => {
  test('is the deltas, once, and ends its line', () => {
    expect(printed([delta('Three '), delta('services'), segment('Three services')]).out).toBe('Three services\n');
  });

  test('is the segments where no deltas come, joined without anything between them', () => {
    expect(printed([segment('a'), segment('b\n')]).out).toBe('ab\n');
  });

  test('gets from its segment what the deltas lacked', () => {
    expect(printed([delta('Three '), segment('Three services'), delta(' more'), segment(' more')]).out).toBe(
      'Three services more\n',
    );
  });

  test('is said once where the deltas are several segments ahead', () => {
    expect(printed([delta('One. '), delta('Two.'), segment('One. '), segment('Two.')]).out).toBe('One. Two.\n');
  });

  test('is nothing if nothing was said', () => {
    expect(printed([]).out).toBe('');
  });
});

describe('tool calls', () => {
  const events = [
    call({ id: 'c1', name: 'search_entities', arguments: '{"blueprint":' }),
    call({ id: 'c1', arguments: '"service"}', lastChunk: true }),
    call({ id: 'c2', name: 'list_blueprints', arguments: '{}', lastChunk: true }),
    { event: 'tool_result', data: { id: 'c2', content: 'no right', isError: true } },
  ] as ReceivedInvocationEvent[];

  test('are shown on a terminal, on stderr', () => {
    expect(printed(events, true)).toEqual({
      out: '',
      err: '→ search_entities {"blueprint":"service"}\n→ list_blueprints\nfailed: no right\n',
    });
  });

  test('are not shown elsewhere', () => {
    expect(printed(events)).toEqual({ out: '', err: '' });
  });

  test('begin on a line of their own', () => {
    expect(printed([delta('Let me see'), ...events.slice(2, 3)], true).out).toBe('Let me see\n');
  });
});

test('an approval that is waited for is always told', () => {
  const data = { action: 'restart', url: 'http://p.example/runs/1', expiresAt: '2030-01-01T00:00:00Z' };
  expect(printed([{ event: 'approval_request', data } as ReceivedInvocationEvent]).err).toBe(
    '"restart" waits for approval until 2030-01-01T00:00:00Z: http://p.example/runs/1\n',
  );
});

test('JSON lines have id, event and data, for unknown events too', () => {
  const { context, out } = createTestContext();
  const printer = createJsonPrinter(context);
  printer.show({ id: 'inv:1', event: 'text_delta', data: { text: 'a' } });
  printer.show({ id: 'inv:2', event: 'unknown', name: 'later', data: '{}' });
  printer.end();
  expect(out()).toBe(
    '{"id":"inv:1","event":"text_delta","data":{"text":"a"}}\n{"id":"inv:2","event":"later","data":"{}"}\n',
  );
});
