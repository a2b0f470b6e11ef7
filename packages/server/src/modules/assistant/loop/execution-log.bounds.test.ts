import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { AppError } from '../../../platform/errors.ts';
import { createExecutionLog, logBounds } from './execution-log.ts';
import { cutMark, jsonText } from './log-json.ts';
import type { LoopEvent } from './loop-event.ts';

afterEach(() => vi.restoreAllMocks());

const usage = { inputTokens: 1, outputTokens: 1, steps: 1, toolCalls: 1, unreportedSteps: 0, costUsd: null };

/** Texts that grow when escaped or that contain fences, including unpaired surrogates. */
const nasty = fc
  .record({
    unit: fc.constantFrom(
      'a',
      '"',
      '\\',
      '\u0000',
      '```',
      '`',
      '\ud83d',
      '\ude80',
      '🚀',
      'é',
      '\n',
      '{"a":',
      '"message":"',
    ),
    times: fc.integer({ min: 0, max: 40_000 }),
  })
  .map(({ unit, times }) => unit.repeat(times));
const id = fc.oneof(fc.constantFrom('call_0', 'call_1'), nasty);
const event: fc.Arbitrary<LoopEvent> = fc.oneof(
  nasty.map((text): LoopEvent => ({ type: 'segment', text })),
  nasty.map((message): LoopEvent => ({ type: 'refusal', message })),
  fc
    .record({
      id,
      name: nasty,
      arguments: fc.oneof(
        nasty,
        fc.json(),
        nasty.map((a) => JSON.stringify({ a, [a]: [a] })),
      ),
    })
    .map((call): LoopEvent => ({ type: 'tool-call', ...call })),
  fc
    .record({ id, name: nasty, content: nasty, isError: fc.boolean() })
    .map((given): LoopEvent => ({ type: 'tool-result', durationMs: 1, fullContent: given.content, ...given })),
  nasty.map(
    (runId): LoopEvent => ({ type: 'approval-request', id: 'call_0', request: { runId, action: runId } as never }),
  ),
  nasty.map((text): LoopEvent => ({ type: 'failure', error: new AppError('internal_error', text), text, usage })),
  fc.constant<LoopEvent>({ type: 'finish', answer: '', text: '', reason: 'stop', usage }),
);

test('whatever happens in a run, the log keeps to its bytes and can be read', () => {
  fc.assert(
    fc.property(
      nasty,
      fc.array(event, { maxLength: 40 }),
      fc.constantFrom(16 * 1024, 100_000, logBounds.bytesMax),
      fc.integer({ min: 2, max: 50 }),
      (question, events, bytesMax, messagesMax) => {
        const log = createExecutionLog(question, { bounds: { bytesMax, messagesMax } });
        for (const each of events) log.record(each);
        const text = log.render();
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytesMax);
        // storing does not change the measured text
        expect(text).not.toMatch(/\0/);
        expect((text as string & { isWellFormed(): boolean }).isWellFormed()).toBe(true);
        const [, readable, json] = /^([\s\S]*?)```json\n(.*)\n```$/.exec(text)!;
        expect(readable).not.toMatch(/[{}]|```/);
        expect(json).not.toContain('```');
        const { messages } = JSON.parse(json!) as { messages: { role: string }[] };
        expect(messages[0]!.role).toBe('user');
        expect(messages.length).toBeLessThanOrEqual(messagesMax);
      },
    ),
    { numRuns: 150 },
  );
});

test('ten thousand large results leave the last ones, and say what is missing', () => {
  const log = createExecutionLog('x');
  for (let index = 0; index < 10_000; index++) {
    log.record({ type: 'tool-call', id: `call_${index}`, name: 'get_x', arguments: `{"a":"${'y'.repeat(1_000)}"}` });
    const content = `${index} ${'"é'.repeat(4_000)}`;
    log.record({
      type: 'tool-result',
      id: `call_${index}`,
      name: 'get_x',
      content,
      fullContent: content,
      isError: false,
      durationMs: 1,
    });
  }
  log.record({ type: 'finish', answer: '', text: '', reason: 'stop', usage });
  const text = log.render();
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(logBounds.bytesMax);
  const [readable = ''] = text.split('```');
  expect(readable).toMatch(
    /\d+ more steps left out: the log has a size limit\n\d+\. \d+ older messages left out below/,
  );
  expect(readable).toMatch(/Answered after 1 step and 1 tool call\n\n$/);
  const { messages } = JSON.parse(/```json\n(.*)\n```$/.exec(text)![1]!) as { messages: { content: string }[] };
  expect(messages.at(-1)!.content).toMatch(/^9999 ("é)+$/);
  expect(messages.find(({ content }) => typeof content === 'string' && content.endsWith(cutMark))).toBeDefined();
});

/** Characters that are serialized or measured while logging an invocation with this many tool results. */
function touchedBy(results: number): number {
  let characters = 0;
  const { stringify } = JSON;
  const byteLength = Buffer.byteLength.bind(Buffer);
  vi.spyOn(JSON, 'stringify').mockImplementation(((value: unknown) => {
    const json = stringify(value);
    characters += json.length;
    return json;
  }) as typeof JSON.stringify);
  vi.spyOn(Buffer, 'byteLength').mockImplementation((text) => {
    characters += (text as string).length;
    return byteLength(text);
  });
  const log = createExecutionLog('x');
  const content = '"é'.repeat(4_000);
  for (let index = 0; index < results; index++) {
    log.record({ type: 'tool-call', id: `c${index}`, name: 'get_x', arguments: '{}' });
    log.record({
      type: 'tool-result',
      id: `c${index}`,
      name: 'get_x',
      content,
      fullContent: content,
      isError: false,
      durationMs: 1,
    });
  }
  log.render();
  vi.restoreAllMocks();
  return characters;
}

test('twice the results cost twice the work, also beyond the bound', () => {
  const [some, more] = [touchedBy(500), touchedBy(2_000)];
  expect(more / some).toBeGreaterThan(3.5);
  expect(more / some).toBeLessThan(4.2);
  expect(some / (500 * 8_000)).toBeLessThan(6);
});

test('a text as JSON never has more bytes than it may, and loses no more than it must', () => {
  fc.assert(
    fc.property(nasty, fc.integer({ min: 100, max: 100_000 }), (text, bytesMax) => {
      const json = jsonText(text, bytesMax);
      expect(Buffer.byteLength(json)).toBeLessThanOrEqual(bytesMax);
      const read = JSON.parse(json) as string;
      if (read === text) return;
      expect(read.endsWith(cutMark)).toBe(true);
      expect(text.startsWith(read.slice(0, -cutMark.length))).toBe(true);
      // loses at most one character of up to twelve bytes, or the escaped back ticks
      expect(bytesMax - Buffer.byteLength(json)).toBeLessThan(13);
    }),
  );
});
