import { describe, expect, test } from 'vitest';
import { readInvocationStream } from './invocation-stream.ts';
import { createEventDecoder, decodeEventStream, type ServerSentEvent } from './invocation-stream-decoder.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

async function* splitChunks(text: string, size: number): AsyncGenerator<Uint8Array> {
  const all = bytes(text);
  for (let start = 0; start < all.length; start += size) yield all.subarray(start, start + size);
}

async function decode(text: string, size = 1000): Promise<ServerSentEvent[]> {
  const events: ServerSentEvent[] = [];
  for await (const event of decodeEventStream(splitChunks(text, size))) events.push(event);
  return events;
}

describe('decodeEventStream', () => {
  const stream = [
    'id: 7d0c:1\nevent: invocationIdentifier\ndata: 7d0c1a52\n\n',
    ': ping\n\n',
    'id: 7d0c:2\nevent: execution\ndata: Zwei Dienste – für „wen“? 🚀\ndata: \ndata: - mail\n\n',
    'event: later\ndata: {"x":1}\n\n',
  ].join('');
  const expected = [
    { id: '7d0c:1', event: 'invocationIdentifier', data: '7d0c1a52' },
    { id: '7d0c:2', event: 'execution', data: 'Zwei Dienste – für „wen“? 🚀\n\n- mail' },
    { id: '7d0c:2', event: 'later', data: '{"x":1}' },
  ];

  test.each([1, 2, 3, 5, 7, 64])('gives the same events in chunks of %i bytes', async (size) => {
    expect(await decode(stream, size)).toEqual(expected);
  });

  test('gives the same events when cut in two at every byte', () => {
    const all = bytes(stream);
    for (let cut = 0; cut <= all.length; cut++) {
      const decoder = createEventDecoder();
      expect([...decoder.push(all.subarray(0, cut)), ...decoder.push(all.subarray(cut))]).toEqual(expected);
    }
  });

  test.each([1, 2, 3])('takes CR LF and CR line ends too, in chunks of %i bytes', async (size) => {
    expect(await decode(stream.replaceAll('\n', '\r\n'), size)).toEqual(expected);
    expect(await decode(stream.replaceAll('\n', '\r'), size)).toEqual(expected);
  });

  test('an event without data is none, one with empty data is one', async () => {
    expect(await decode('event: x\n\ndata\n\ndata:\n\n')).toEqual([
      { event: 'message', data: '' },
      { event: 'message', data: '' },
    ]);
  });

  test('an event that the end cuts off is not given out', async () => {
    expect(await decode('data: a\n\ndata: b\n')).toEqual([{ event: 'message', data: 'a' }]);
  });

  test('only one blank after the colon is taken away', async () => {
    expect(await decode('data:  a \n\n')).toEqual([{ event: 'message', data: ' a ' }]);
  });

  test('comments are told to whoever listens', () => {
    const comments: string[] = [];
    createEventDecoder({ onComment: (text) => comments.push(text) }).push(bytes(': ping\n\n:\n'));
    expect(comments).toEqual(['ping', '']);
  });
});

test('an invocation is read with types, unknown events pass, and reading ends at done', async () => {
  const stream =
    'id: a:1\nevent: invocationIdentifier\ndata: a\n\nevent: waiting\ndata: null\n\nid: a:2\nevent: tool_call\n' +
    'data: {"id":"call_0","name":"x","arguments":"{}","lastChunk":true}\n\nevent: done\ndata: {broken\n\n' +
    'id: a:3\nevent: done\ndata: {"status":"Completed"}\n\nevent: never\ndata: read\n\n';
  const events = [];
  for await (const event of readInvocationStream(splitChunks(stream, 9))) events.push(event);
  expect(events).toEqual([
    { event: 'invocationIdentifier', data: 'a', id: 'a:1' },
    { event: 'unknown', name: 'waiting', data: 'null', id: 'a:1' },
    { event: 'tool_call', data: { id: 'call_0', name: 'x', arguments: '{}', lastChunk: true }, id: 'a:2' },
    { event: 'unknown', name: 'done', data: '{broken', id: 'a:2' },
    { event: 'done', data: { status: 'Completed' }, id: 'a:3' },
  ]);
});
