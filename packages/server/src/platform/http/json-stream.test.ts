import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { JsonStreamAnswer, openJsonStream } from './json-stream.ts';

async function* parts(...lists: unknown[][]) {
  for (const list of lists) yield list;
}

test('one list is written part by part, and the whole is one JSON object', async () => {
  const tails = [undefined, () => ({ next: 'x', n: 1 })];
  for (const tail of tails) {
    for (const lists of [[], [[]], [[1], [], [2, { a: '"' }]], [[], [3]]]) {
      const answer = new JsonStreamAnswer('entities', parts(...lists), tail ? { tail } : {});
      const read = JSON.parse(await text(await openJsonStream(answer)));
      expect(read).toEqual({ ok: true, entities: lists.flat(), ...tail?.() });
    }
  }
});

test('what fails at once fails before anything is sent', async () => {
  async function* failing(): AsyncGenerator<unknown[]> {
    yield await Promise.reject(new Error('no'));
  }
  await expect(openJsonStream(new JsonStreamAnswer('entities', failing()))).rejects.toThrow('no');
});

test('what fails later never yields a whole JSON', async () => {
  async function* failing(): AsyncGenerator<unknown[]> {
    yield [1];
    throw new Error('gone');
  }
  const body = await openJsonStream(new JsonStreamAnswer('entities', failing()));
  await expect(text(body)).rejects.toThrow('gone');
});

test('a reader that leaves ends the reading', async () => {
  let isEnded = false;
  async function* endless(): AsyncGenerator<unknown[]> {
    try {
      for (let n = 0; ; n += 1) yield [n];
    } finally {
      isEnded = true;
    }
  }
  const body = await openJsonStream(new JsonStreamAnswer('entities', endless()));
  for await (const _chunk of body) break;
  expect(isEnded).toBe(true);
});

test('a reader that stays and takes nothing is let go, and the reading ends', async () => {
  let isEnded = false;
  async function* endless(): AsyncGenerator<unknown[]> {
    try {
      for (;;) yield ['x'.repeat(10_000)];
    } finally {
      isEnded = true;
    }
  }
  const body = await openJsonStream(new JsonStreamAnswer('entities', endless()), 20);
  const failed = once(body, 'error');
  body.on('readable', () => undefined);
  expect(String(await failed)).toContain('takes nothing');
  expect(isEnded).toBe(true);
});
