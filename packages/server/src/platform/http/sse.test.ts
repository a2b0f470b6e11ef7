import { createEventDecoder } from '@portolan/contract/invocation-stream-decoder';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeSseEvent, firstHeartbeat, heartbeat, type SseEvent } from './sse.ts';

/** A reader as workflow tools have it: blocks by empty lines, a blank after each colon, each line trimmed. */
function readStrictly(stream: string): { event: string; data: string }[] {
  return stream
    .split('\n\n')
    .map((block) => {
      const found = { event: '', data: [] as string[] };
      for (const line of block.split('\n')) {
        if (line.startsWith('event: ')) found.event = line.slice(7).trim();
        if (line.startsWith('data: ')) found.data.push(line.slice(6).trim());
      }
      return { event: found.event, data: found.data.join('\n') };
    })
    .filter(({ data }) => data !== '');
}

describe('the bytes of an event', () => {
  test('are id, event, data, with LF and one blank after each colon', () => {
    expect(encodeSseEvent({ id: '7d0c:1', event: 'invocationIdentifier', data: '7d0c1a52-3f8b' })).toBe(
      'id: 7d0c:1\nevent: invocationIdentifier\ndata: 7d0c1a52-3f8b\n\n',
    );
  });

  test('have a data line with its blank for every line of a text, also empty ones', () => {
    expect(encodeSseEvent({ id: 'a:2', event: 'execution', data: 'Two:\n\n- billing\n' })).toBe(
      'id: a:2\nevent: execution\ndata: Two:\ndata: \ndata: - billing\ndata: \n\n',
    );
    expect(encodeSseEvent({ id: 'a:2', event: 'execution', data: '' })).toBe('id: a:2\nevent: execution\ndata: \n\n');
  });

  test('have JSON on one line', () => {
    expect(encodeSseEvent({ id: 'a:3', event: 'done', data: { text: 'a\r\nb', list: [1] } })).toBe(
      'id: a:3\nevent: done\ndata: {"text":"a\\r\\nb","list":[1]}\n\n',
    );
  });

  test('never hold a carriage return', () => {
    expect(encodeSseEvent({ id: 'a:1', event: 'execution', data: 'a\r\nb\rc' })).toBe(
      'id: a:1\nevent: execution\ndata: a\ndata: b\ndata: c\n\n',
    );
  });

  test('of heartbeats are comments, the first one of 2 KiB', () => {
    expect(heartbeat).toBe(': ping\n\n');
    expect(firstHeartbeat).toHaveLength(2048);
    expect(firstHeartbeat).toMatch(/^: ping *\n\n$/);
  });
});

describe('readers in the field', () => {
  const stream = [
    encodeSseEvent({ id: 'x:1', event: 'invocationIdentifier', data: '7d0c1a52-3f8b-4a6e-9b1d-0c6f0b1e2a11' }),
    firstHeartbeat,
    encodeSseEvent({
      id: 'x:2',
      event: 'tool_call',
      data: { id: 'call_0', name: 'x', arguments: '{}', lastChunk: true },
    }),
    encodeSseEvent({ id: 'x:3', event: 'execution', data: 'Two:\n\n- billing-api\n- mail-relay' }),
    heartbeat,
    encodeSseEvent({ id: 'x:4', event: 'done', data: { rateLimitUsage: {} } }),
  ].join('');

  test('that split on empty lines and need the blank find every event, with its empty lines', () => {
    expect(readStrictly(stream)).toEqual([
      { event: 'invocationIdentifier', data: '7d0c1a52-3f8b-4a6e-9b1d-0c6f0b1e2a11' },
      { event: 'tool_call', data: '{"id":"call_0","name":"x","arguments":"{}","lastChunk":true}' },
      { event: 'execution', data: 'Two:\n\n- billing-api\n- mail-relay' },
      { event: 'done', data: '{"rateLimitUsage":{}}' },
    ]);
  });

  test('that look for the identifier by pattern find it bare', () => {
    expect(/event: invocationIdentifier\ndata: (.+)/.exec(stream)?.[1]).toBe('7d0c1a52-3f8b-4a6e-9b1d-0c6f0b1e2a11');
  });
});

test('what is encoded is decoded again, cut at every byte', () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 }).map((value) => value.replace(/\r/g, ''));
  const event = fc.record({
    id: fc.stringMatching(/^[a-f0-9-]{1,8}:[0-9]{1,3}$/),
    event: fc.stringMatching(/^[a-zA-Z_]{1,12}$/),
    data: fc.oneof(
      text,
      fc.array(fc.constantFrom('\n', ' ', 'a', 'é', '🚀', ':', '\uFEFF'), { maxLength: 12 }).map((all) => all.join('')),
      fc.json().map((value) => JSON.parse(value) as unknown),
    ),
  });
  fc.assert(
    fc.property(fc.array(event, { minLength: 1, maxLength: 4 }), (events) => {
      const expected = events.map(({ id, event, data }: SseEvent) => ({
        id,
        event,
        data: typeof data === 'string' ? data : JSON.stringify(data),
      }));
      const bytes = new TextEncoder().encode(events.map(encodeSseEvent).join(heartbeat));
      for (let cut = 0; cut <= bytes.length; cut++) {
        const decoder = createEventDecoder();
        expect([...decoder.push(bytes.subarray(0, cut)), ...decoder.push(bytes.subarray(cut))]).toEqual(expected);
      }
    }),
    { numRuns: 60 },
  );
});
