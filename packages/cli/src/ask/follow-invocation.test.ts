import { createClient } from '@portolan/contract/client';
import { expect, test } from 'vitest';
import { cutError, eventStream, type Handler, refusal, scriptedFetch } from '../../test/scripted-fetch.ts';
import { followInvocation } from './follow-invocation.ts';

const first = { id: 'inv:1', event: 'invocationIdentifier', data: 'inv' };
const part = (sequence: number, text: string) => ({ id: `inv:${sequence}`, event: 'text_delta', data: { text } });
const done = (sequence: number) => ({ id: `inv:${sequence}`, event: 'done', data: { status: 'Completed' } });
const ask = 'POST /v1/ai/invoke';
const readOn = 'GET /v1/ai/invoke/inv/events';

function follow(script: Record<string, Handler | readonly Handler[]>, silenceMsMax = 5_000) {
  const { fetch, seen } = scriptedFetch(script);
  const waits: number[] = [];
  const events = followInvocation({
    client: createClient({ baseUrl: 'http://test.example', fetch, token: async () => 'token' }),
    identifier: 'inv',
    request: { userPrompt: 'who owns it?', labels: { a: 1 } },
    signal: new AbortController().signal,
    wait: async (ms) => void waits.push(ms),
    onBreak: () => {},
    silenceMsMax,
  });
  const ids = async (): Promise<(string | undefined)[]> => {
    const read: (string | undefined)[] = [];
    for await (const { id } of events) read.push(id);
    return read;
  };
  return { ids, seen, waits };
}

test('asks once, with deltas and an identifier of its own', async () => {
  const { ids, seen } = follow({ [ask]: () => eventStream([first, part(2, 'a'), done(3)]) });
  expect(await ids()).toEqual(['inv:1', 'inv:2', 'inv:3']);
  expect(seen).toHaveLength(1);
  expect(seen[0]).toMatchObject({
    query: { deltas: 'true', invocation_identifier: 'inv' },
    body: { userPrompt: 'who owns it?', labels: { a: 1 } },
  });
});

test.each(['cut', undefined] as const)('reads on after the last event (the connection ended: %s)', async (end) => {
  const { ids, seen } = follow({
    [ask]: () => eventStream([first, part(2, 'a')], end),
    [readOn]: [() => eventStream([part(3, 'b')], end), () => eventStream([part(4, 'c'), done(5)])],
  });
  expect(await ids()).toEqual(['inv:1', 'inv:2', 'inv:3', 'inv:4', 'inv:5']);
  expect(seen.map(({ call, headers }) => [call, headers.get('last-event-id')])).toEqual([
    [ask, null],
    [readOn, 'inv:2'],
    [readOn, 'inv:3'],
  ]);
});

test('asks again under the same identifier if the connection broke before the first event', async () => {
  const { ids, seen } = follow({
    [ask]: [() => Promise.reject(cutError()), () => eventStream([first, done(2)])],
  });
  expect(await ids()).toEqual(['inv:1', 'inv:2']);
  expect(seen.map(({ query }) => query['invocation_identifier'])).toEqual(['inv', 'inv']);
});

test('waits longer from attempt to attempt, and gives up after six without anything new', async () => {
  const { ids, waits, seen } = follow({
    [ask]: () => eventStream([first], 'cut'),
    [readOn]: () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })),
  });
  await expect(ids()).rejects.toMatchObject({ exitCode: 3, code: 'stream_broken' });
  expect(waits).toEqual([250, 500, 1000, 2000, 4000, 4000]);
  expect(seen).toHaveLength(7);
});

test('an answer of a proxy or of a starting server is waited out', async () => {
  const { ids } = follow({
    [ask]: () => eventStream([first], 'cut'),
    [readOn]: [
      () => new Response('<html>bad gateway', { status: 502 }),
      () => refusal(503, 'service_unavailable', 'starting'),
      () => eventStream([done(2)]),
    ],
  });
  expect(await ids()).toEqual(['inv:1', 'inv:2']);
});

test('a connection on which nothing comes is left', async () => {
  const { ids } = follow(
    {
      [ask]: () =>
        new Response(
          new ReadableStream({ start: (to) => to.enqueue(Buffer.from('id: inv:1\nevent: execution\ndata: a\n\n')) }),
        ),
      [readOn]: () => eventStream([done(2)]),
    },
    20,
  );
  expect(await ids()).toEqual(['inv:1', 'inv:2']);
});

test.each([
  ['a refusal', () => refusal(429, 'ai_quota_exceeded', 'used up'), { status: 429 }],
  [
    'a server that is not there',
    () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })),
    { message: 'fetch failed' },
  ],
  ['a model that is not there', () => refusal(502, 'llm_provider_unavailable', 'gone'), { status: 502 }],
])('%s is not asked again', async (_name, handler, expected) => {
  const { ids, seen } = follow({ [ask]: handler as Handler });
  await expect(ids()).rejects.toMatchObject(expected);
  expect(seen).toHaveLength(1);
});
