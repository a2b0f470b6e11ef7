import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { encodeSseEvent, firstHeartbeat, heartbeat, type SseEvent } from './sse.ts';
import { type EventStreamOptions, type StreamEnding, writeEventStream } from './sse-writer.ts';

type Source = (signal: AbortSignal) => AsyncIterable<readonly SseEvent[]>;
let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const event = (sequence: number, data: unknown = 'x'): SseEvent => ({ id: `a:${sequence}`, event: 'execution', data });

/** Serves one stream and connects to it. */
async function serve(source: Source, options: EventStreamOptions = {}) {
  let ended: (ending: StreamEnding) => void;
  const ending = new Promise<StreamEnding>((resolve) => {
    ended = resolve;
  });
  let response: ServerResponse | undefined;
  server = createServer((_request, raw) => {
    response = raw;
    void writeEventStream(raw, source, options).then(ended);
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ port, host: '127.0.0.1', agent: false }, resolve).on('error', reject);
  });
  return { incoming, ending, response: () => response! };
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of incoming.setEncoding('utf8')) text += chunk;
  return text;
}

test('writes the batches as bytes under the headers of a stream, and ends', async () => {
  const source: Source = async function* () {
    yield [event(1), event(2, { a: 1 })];
    yield [];
    yield [event(3)];
  };
  const { incoming, ending } = await serve(source, { headers: { 'x-invocation-id': 'a' } });
  expect(incoming.statusCode).toBe(200);
  expect(incoming.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    'x-invocation-id': 'a',
  });
  expect(await textOf(incoming)).toBe([event(1), event(2, { a: 1 }), event(3)].map(encodeSseEvent).join(''));
  expect(await ending).toBe('finished');
});

test('silence is filled with comments, the first one padded', async () => {
  const source: Source = async function* () {
    yield [event(1)];
    await sleep(500);
    yield [event(2)];
  };
  const { incoming } = await serve(source, { heartbeatMs: 20 });
  const text = await textOf(incoming);
  expect(text.startsWith(encodeSseEvent(event(1)) + firstHeartbeat + heartbeat)).toBe(true);
  expect(text.endsWith(encodeSseEvent(event(2)))).toBe(true);
});

test('a slow reader is waited for: the source is not asked for more than the connection takes', async () => {
  let produced = 0;
  const batch = [event(1, 'x'.repeat(64 * 1024))];
  const source: Source = async function* () {
    for (; produced < 2000; produced++) yield batch;
  };
  const { incoming, ending, response } = await serve(source, { heartbeatMs: 5 });
  incoming.pause();
  await sleep(100);
  const stuckAt = produced;
  const heldBytes = response().writableLength;
  await sleep(60);
  expect(produced).toBe(stuckAt);
  // nor do heartbeats pile up behind what the reader does not take
  expect(response().writableLength).toBe(heldBytes);
  expect(produced).toBeLessThan(1000);
  expect(response().writableLength).toBeLessThan(512 * 1024);
  incoming.destroy();
  expect(await ending).toBe('disconnected');
});

test('a reader that takes nothing for too long is let go', async () => {
  const source: Source = async function* () {
    for (;;) yield [event(1, 'x'.repeat(64 * 1024))];
  };
  const { incoming, ending } = await serve(source, { stalledMs: 30 });
  incoming.on('error', () => {});
  incoming.pause();
  expect(await ending).toBe('disconnected');
});

test('a reader that leaves aborts the signal of the source, also while the source waits', async () => {
  let signalled = false;
  let released = false;
  const source: Source = async function* (signal) {
    try {
      yield [event(1)];
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      signalled = true;
    } finally {
      released = true;
    }
  };
  const { incoming, ending } = await serve(source);
  incoming.destroy();
  expect(await ending).toBe('disconnected');
  await sleep(0);
  expect({ signalled, released }).toEqual({ signalled: true, released: true });
});

test('a source that ignores the signal does not keep the writer', async () => {
  const source: Source = () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) });
  const { incoming, ending } = await serve(source);
  incoming.destroy();
  expect(await ending).toBe('disconnected');
});

test('a source that fails ends the stream with the events for it', async () => {
  const source: Source = async function* () {
    yield [event(1)];
    throw new Error('secret');
  };
  const { incoming, ending } = await serve(source, {
    onFailure: () => [{ id: 'a:2', event: 'done', data: {} }],
  });
  const text = await textOf(incoming);
  expect(text).toBe(`${encodeSseEvent(event(1))}id: a:2\nevent: done\ndata: {}\n\n`);
  expect(await ending).toBe('failed');
});

test('an event that cannot be written ends the stream as a failure, whichever batch it is in', async () => {
  const source: Source = async function* () {
    yield [event(1)];
    yield [event(2, 1n)];
  };
  const { incoming, ending } = await serve(source, { onFailure: () => [{ id: 'a:3', event: 'done', data: {} }] });
  expect(await textOf(incoming)).toBe(`${encodeSseEvent(event(1))}id: a:3\nevent: done\ndata: {}\n\n`);
  expect(await ending).toBe('failed');
});
