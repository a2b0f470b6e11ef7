import { Readable } from 'node:stream';
import type { LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { describe, expect, test } from 'vitest';
import { eventCharactersMax } from './event-data.ts';
import { partsOfResponse } from './parts-of-response.ts';

type Part = LanguageModelV3StreamPart;

/** All parts of a response that arrives in these pieces. */
async function readParts(pieces: Iterable<Buffer>): Promise<Part[]> {
  const stream = partsOfResponse(Readable.from(pieces, { objectMode: false }));
  const parts: Part[] = [];
  for (let batch = await stream.read(); batch; batch = await stream.read()) parts.push(...batch);
  return parts;
}

const whole = (text: string): Promise<Part[]> => readParts([Buffer.from(text)]);
const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const delta = (value: unknown, finish: string | null = null): string =>
  data({ id: 'c', created: 1, model: 'm', choices: [{ index: 0, delta: value, finish_reason: finish }] });
const call = (value: unknown): string => delta({ tool_calls: [value] });
const done = 'data: [DONE]\n\n';

const joinText = (parts: readonly Part[]): string =>
  parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('');
const listCalls = (parts: readonly Part[]) =>
  parts.flatMap((part) => (part.type === 'tool-call' ? [[part.toolCallId, part.toolName, part.input]] : []));
const findEnd = (parts: readonly Part[]) => parts.at(-1) as Part & { type: 'finish' };
const listErrors = (parts: readonly Part[]) => parts.filter(({ type }) => type === 'error');

const everything =
  ': ping\n\nevent: x\nretry: 5\n' +
  delta({ role: 'assistant', content: '' }) +
  delta({ reasoning_content: 'hm …' }) +
  delta({ content: 'Grüße, 世界 👋' }) +
  call({ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '{"é":' } }) +
  call({ index: 0, function: { arguments: '"👋"}' } }) +
  delta({}, 'tool_calls') +
  data({ choices: [], usage: { prompt_tokens: 5, completion_tokens: 3 } }) +
  done;

describe('bytes', () => {
  test('give the same parts however they are cut', async () => {
    const bytes = Buffer.from(everything);
    const expected = await readParts([bytes]);
    expect(expected.map(({ type }) => type)).toEqual([
      'stream-start',
      'response-metadata',
      'reasoning-start',
      'reasoning-delta',
      'reasoning-end',
      'text-start',
      'text-delta',
      'tool-input-start',
      'tool-input-delta',
      'tool-input-delta',
      'text-end',
      'tool-input-end',
      'tool-call',
      'finish',
    ]);
    expect(joinText(expected)).toBe('Grüße, 世界 👋');
    expect(listCalls(expected)).toEqual([['a', 'f', '{"é":"👋"}']]);
    for (let at = 1; at < bytes.length; at++) {
      expect(await readParts([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(expected);
    }
    expect(await readParts(Array.from(bytes, (byte) => Buffer.from([byte])))).toEqual(expected);
  });

  test.each([
    ['CR LF', '\r\n'],
    ['CR', '\r'],
  ])('may end lines with %s, cut anywhere, after a byte order mark', async (_name, lineEnd) => {
    const expected = await whole(everything);
    const bytes = Buffer.from(`\uFEFF${everything.replaceAll('\n', lineEnd)}`);
    expect(await readParts([bytes])).toEqual(expected);
    expect(await readParts(Array.from(bytes, (byte) => Buffer.from([byte])))).toEqual(expected);
  });

  test('may spread one event over several data lines, and leave out the blank after the colon', async () => {
    const parts = await whole(`data:{"choices":[{"delta":\ndata: {"content":"a"},"finish_reason":"stop"}]}\n\n${done}`);
    expect(joinText(parts)).toBe('a');
    expect(listErrors(parts)).toEqual([]);
  });

  test('without end are not kept in memory', async () => {
    const piece = Buffer.alloc(1024 * 1024, 'x');
    const endless = function* () {
      for (;;) yield piece;
    };
    await expect(readParts(endless())).rejects.toThrow(`more than ${eventCharactersMax} characters`);
  });
});

describe('tool calls', () => {
  const two = (first: string, second: string): Promise<Part[]> =>
    whole(first + second + delta({}, 'tool_calls') + done);

  test('of one step are put together by index, mixed as they may be', async () => {
    const parts = await whole(
      call({ index: 1, id: 'b', function: { name: 'g', arguments: '{"b"' } }) +
        call({ index: 0, id: 'a', function: { name: 'f', arguments: '' } }) +
        delta({
          tool_calls: [
            { index: 0, function: { arguments: '{"a":1}' } },
            { index: 1, function: { arguments: ':2}' } },
          ],
        }) +
        delta({}, 'tool_calls') +
        done,
    );
    expect(listCalls(parts)).toEqual([
      ['a', 'f', '{"a":1}'],
      ['b', 'g', '{"b":2}'],
    ]);
  });

  test('may come with the identifier first, then the arguments, then the name', async () => {
    const parts = await two(
      call({ index: 0, id: 'a' }) + call({ index: 0, function: { arguments: '{"a":' } }),
      call({ index: 0, function: { name: 'f', arguments: '1}' } }),
    );
    expect(listCalls(parts)).toEqual([['a', 'f', '{"a":1}']]);
    expect(parts.filter(({ type }) => type === 'tool-input-start')).toHaveLength(1);
  });

  test.each([
    ['with no index', undefined],
    ['all under one index', 0],
  ])('that come whole may come %s', async (_how, index) => {
    const parts = await two(
      call({ index, id: 'a', function: { name: 'f', arguments: '{"a":1}' } }),
      call({ index, id: 'b', function: { name: 'f', arguments: '{"b":2}' } }),
    );
    expect(listCalls(parts)).toEqual([
      ['a', 'f', '{"a":1}'],
      ['b', 'f', '{"b":2}'],
    ]);
  });

  test('may repeat identifier and name in every piece', async () => {
    const parts = await two(
      call({ index: 0, id: 'a', function: { name: 'f', arguments: '{"a"' } }),
      call({ index: 0, id: 'a', function: { name: 'f', arguments: ':1}' } }),
    );
    expect(listCalls(parts)).toEqual([['a', 'f', '{"a":1}']]);
  });

  test('without identifiers, or with the same one, get their own', async () => {
    const nameless = listCalls(
      await two(call({ index: 0, function: { name: 'f' } }), call({ index: 1, function: { name: 'f' } })),
    );
    const same = listCalls(
      await two(
        call({ index: 0, id: 'a', function: { name: 'f' } }),
        call({ index: 1, id: 'a', function: { name: 'f' } }),
      ),
    );
    for (const calls of [nameless, same]) {
      expect(calls).toHaveLength(2);
      expect(calls[0]![0]).not.toBe(calls[1]![0]);
      expect(calls.every(([id]) => id !== '')).toBe(true);
    }
  });

  test('may carry arguments that were parsed already', async () => {
    const parts = await two(call({ index: 0, id: 'a', function: { name: 'f', arguments: { a: 1 } } }), '');
    expect(listCalls(parts)).toEqual([['a', 'f', '{"a":1}']]);
  });

  test('without a name are an error', async () => {
    expect(listErrors(await two(call({ index: 0, id: 'a', function: { arguments: '{}' } }), ''))).toHaveLength(1);
  });

  test('keep the signature that the provider wants back', async () => {
    const signed = {
      index: 0,
      id: 'a',
      function: { name: 'f' },
      extra_content: { google: { thought_signature: 's' } },
    };
    expect((await two(call(signed), '')).find(({ type }) => type === 'tool-call')).toMatchObject({
      providerMetadata: { 'openai-compatible': { thoughtSignature: 's' } },
    });
  });
});

describe('what is unusual', () => {
  test.each([
    ['thoughts under another name', delta({ reasoning: 'hm' }) + delta({ content: 'a' }, 'stop')],
    [
      'content as a list',
      delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }, { type: 'image' }] }) +
        delta({ content: [{ type: 'text', text: 'a' }] }, 'stop'),
    ],
  ])('%s is read', async (_what, text) => {
    const parts = await whole(text + done);
    expect(parts.find(({ type }) => type === 'reasoning-delta')).toMatchObject({ delta: 'hm' });
    expect(joinText(parts)).toBe('a');
  });

  test('an error that is null, and a chunk with nothing known in it, are nothing', async () => {
    const chunk = { choices: [{ delta: { content: 'a' }, finish_reason: 'stop' }], error: null };
    const parts = await whole(data(chunk) + data({ ping: true }) + done);
    expect(listErrors(parts)).toEqual([]);
    expect(joinText(parts)).toBe('a');
  });

  test.each([
    ['is no JSON', 'data: {"not json\n\n'],
    ['is no object', 'data: 5\n\n'],
    ['has a shape nobody expects', data({ choices: [{ delta: { tool_calls: [null] } }] })],
  ])('a chunk that %s is an error part, without what the provider said', async (_how, chunk) => {
    const parts = await whole(delta({ content: 'a' }) + chunk);
    expect(listErrors(parts)[0]).toMatchObject({ error: { message: 'The provider sent a chunk that cannot be read' } });
    expect(findEnd(parts).finishReason.unified).toBe('error');
  });

  test('a reason nobody knows is kept as the provider wrote it', async () => {
    expect(findEnd(await whole(delta({ content: 'a' }, 'eos') + done)).finishReason).toEqual({
      unified: 'other',
      raw: 'eos',
    });
  });

  test.each([
    ['nothing', ''],
    ['something else', '<html></html>'],
    ['an event that is not finished', delta({ content: 'a' }, 'stop').trimEnd()],
    ['no reason for the end', delta({ content: 'a' }) + done],
  ])('a response of %s is an error and an end', async (_what, text) => {
    const parts = await whole(text);
    expect(listErrors(parts)).toHaveLength(1);
    expect(findEnd(parts)).toMatchObject({ type: 'finish', finishReason: { unified: 'error' } });
  });

  test('nothing counts after the end was said', async () => {
    expect(listErrors(await whole(`${delta({ content: 'a' }, 'stop')}${done}data: {"\n\n`))).toEqual([]);
  });
});

describe('the source', () => {
  const quiet = (): Readable => new Readable({ read() {} });

  test('brings what came together as one array', async () => {
    const source = quiet();
    const stream = partsOfResponse(source);
    await stream.read();
    const next = stream.read();
    source.push(delta({ content: 'a' }));
    source.push(delta({ content: 'b' }));
    expect(joinText((await next)!)).toBe('ab');
  });

  test('is not read on while nobody takes what came', async () => {
    const source = quiet();
    const stream = partsOfResponse(source);
    source.push(delta({ content: 'a' }).repeat(5_000));
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(source.isPaused()).toBe(true);
    await stream.read();
    expect(source.isPaused()).toBe(false);
  });

  test('that breaks rejects the read after what came before', async () => {
    const source = quiet();
    const stream = partsOfResponse(source);
    source.push(delta({ content: 'a' }));
    await new Promise((resolve) => setTimeout(resolve, 5));
    source.destroy(new Error('reset'));
    expect(joinText((await stream.read())!)).toBe('a');
    await expect(stream.read()).rejects.toThrow('reset');
  });

  test('that stays open after the end was said is let go', async () => {
    const source = quiet();
    const stream = partsOfResponse(source);
    source.push(delta({ content: 'a' }, 'stop') + done);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(findEnd([...(await stream.read())!]).finishReason.unified).toBe('stop');
    expect(await stream.read()).toBeUndefined();
    expect(source.destroyed).toBe(false);
    await new Promise((resolve) => source.once('close', resolve));
  });

  test('is destroyed by cancelling, and a read that waits ends', async () => {
    const source = quiet();
    const stream = partsOfResponse(source);
    await stream.read();
    const waiting = stream.read();
    stream.cancel();
    expect(await waiting).toBeUndefined();
    expect(source.destroyed).toBe(true);
  });
});
