import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
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
  const listening = (of: ServerResponse) => ['drain', 'close', 'error'].map((name) => of.listenerCount(name));
  let first: number[] = [];
  server = createServer((_request, raw) => {
    response = raw;
    first = listening(raw);
    void writeEventStream(raw, source, options).then(ended);
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ port, host: '127.0.0.1', agent: false }, resolve).on('error', reject);
  });
  return { incoming, ending, response: () => response!, listening, atFirst: () => first };
}

async function readText(incoming: IncomingMessage): Promise<string> {
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
  expect(await readText(incoming)).toBe([event(1), event(2, { a: 1 }), event(3)].map(encodeSseEvent).join(''));
  expect(await ending).toBe('finished');
});

test('silence is filled with comments, the first one padded', async () => {
  const source: Source = async function* () {
    yield [event(1)];
    await sleep(500);
    yield [event(2)];
  };
  const { incoming } = await serve(source, { heartbeatMs: 20 });
  const text = await readText(incoming);
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
  const text = await readText(incoming);
  expect(text).toBe(`${encodeSseEvent(event(1))}id: a:2\nevent: done\ndata: {}\n\n`);
  expect(await ending).toBe('failed');
});

test('an event that cannot be written ends the stream as a failure, whichever batch it is in', async () => {
  const source: Source = async function* () {
    yield [event(1)];
    yield [event(2, 1n)];
  };
  const { incoming, ending } = await serve(source, { onFailure: () => [{ id: 'a:3', event: 'done', data: {} }] });
  expect(await readText(incoming)).toBe(`${encodeSseEvent(event(1))}id: a:3\nevent: done\ndata: {}\n\n`);
  expect(await ending).toBe('failed');
});

/** A source whose batches the test hands over one by one; each is written before `give` answers. */
function handedOver() {
  const asked: ((next: IteratorResult<readonly SseEvent[]>) => void)[] = [];
  const waiting: (() => void)[] = [];
  const returned = vi.fn(() => Promise.resolve({ done: true as const, value: undefined }));
  const source: Source = () => ({
    [Symbol.asyncIterator]: () => ({
      next: () =>
        new Promise((resolve) => {
          asked.push(resolve);
          waiting.shift()?.();
        }),
      return: returned,
    }),
  });
  const isAsked = () =>
    asked.length > 0 ? Promise.resolve() : new Promise<void>((resolve) => void waiting.push(resolve));
  const answer = async (next: IteratorResult<readonly SseEvent[]>) => {
    await isAsked();
    asked.shift()!(next);
  };
  const give = async (events: readonly SseEvent[]) => {
    await answer({ done: false, value: events });
    await isAsked();
  };
  return {
    source,
    give,
    answer,
    returned,
    wasAsked: () => asked.length > 0,
    finish: () => answer({ done: true, value: undefined }),
  };
}

describe('with the time in hand', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('a comment comes after twelve seconds in which nothing was written, an empty batch being nothing', async () => {
    const { source, give, finish } = handedOver();
    const { incoming, ending, response, listening, atFirst } = await serve(source);
    vi.advanceTimersByTime(11_999);
    await give([event(1)]);
    vi.advanceTimersByTime(6_000);
    await give([event(2)]);
    vi.advanceTimersByTime(6_000);
    await give([]);
    vi.advanceTimersByTime(6_000);
    await give([event(3)]);
    await finish();
    expect(await ending).toBe('finished');
    const [one, two, three] = [event(1), event(2), event(3)].map(encodeSseEvent);
    expect(await readText(incoming)).toBe(`${one}${two}${firstHeartbeat}${three}`);
    expect(vi.getTimerCount()).toBe(0);
    expect(listening(response())).toEqual(atFirst());
  });

  test('a reader that was slow and reads on gets all of it, and is not let go for having been slow', async () => {
    const big = 'x'.repeat(64 * 1024);
    let produced = 0;
    const { source, finish, give } = handedOver();
    const { incoming, ending, response, listening } = await serve(source, { stalledMs: 1_000 });
    incoming.pause();
    const before = listening(response());
    // one batch after the other until the connection takes no more; each is written before anything else happens
    let last = Promise.resolve();
    while (!response().writableNeedDrain) {
      produced++;
      last = give([event(produced, big)]);
      await Promise.race([last, immediate()]);
    }
    vi.advanceTimersByTime(999);
    const text = readText(incoming);
    await last;
    expect(listening(response())).toEqual(before);
    vi.advanceTimersByTime(10_000);
    await finish();
    expect(await ending).toBe('finished');
    expect(await text).toBe(
      Array.from({ length: produced }, (_, index) => encodeSseEvent(event(index + 1, big))).join(''),
    );
  });

  test('nothing is left behind by a reader that leaves, and the source is not asked again', async () => {
    const { source, give, answer, wasAsked, returned } = handedOver();
    returned.mockImplementation(() => Promise.reject(new Error('a source that fails late')));
    const { incoming, ending, response } = await serve(source);
    await give([event(1)]);
    incoming.destroy();
    expect(await ending).toBe('disconnected');
    expect(returned).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
    await answer({ done: false, value: [event(2)] });
    await immediate();
    expect(wasAsked()).toBe(false);
    // what fails on the dead connection afterwards is nobody's business
    response().emit('error', new Error('late'));
  });

  test('nor by one that leaves while it is waited for', async () => {
    const { source, give } = handedOver();
    const { incoming, ending, response } = await serve(source);
    incoming.pause();
    while (!response().writableNeedDrain) {
      void give([event(1, 'x'.repeat(64 * 1024))]);
      await immediate();
    }
    incoming.destroy();
    expect(await ending).toBe('disconnected');
    await immediate();
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('a source that fails because its reader left is no failure', async () => {
  const onFailure = vi.fn(() => []);
  const source: Source = async function* (signal) {
    yield [event(1)];
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  const { incoming, ending } = await serve(source, { onFailure });
  incoming.destroy();
  expect(await ending).toBe('disconnected');
  expect(onFailure).not.toHaveBeenCalled();
});

test('the source is not asked for anything where the reader left before', async () => {
  const { source, wasAsked, returned } = handedOver();
  const ending = await new Promise<StreamEnding>((resolve) => {
    server = createServer((_request, response) => {
      response.destroy();
      void writeEventStream(response, source).then(resolve);
    });
    server.listen(0, '127.0.0.1', () => {
      const { port } = server!.address() as AddressInfo;
      get({ port, host: '127.0.0.1', agent: false }).on('error', () => {});
    });
  });
  expect(ending).toBe('disconnected');
  expect(wasAsked()).toBe(false);
  expect(returned).toHaveBeenCalledOnce();
});
