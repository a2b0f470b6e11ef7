import { expect, test } from 'vitest';
import { eventQueue } from './event-queue.ts';

test('gives out what is emitted, in order, before and after it is asked for', async () => {
  const seen: number[] = [];
  const queue = eventQueue<number>(
    async (emit) => {
      emit(1);
      emit(2);
      await new Promise((resolve) => setTimeout(resolve, 5));
      emit(3);
    },
    () => expect.unreachable(),
  );
  for await (const event of queue) seen.push(event);
  expect(seen).toEqual([1, 2, 3]);
  expect(await queue.next()).toEqual({ done: true, value: undefined });
});

test('starts nothing before it is asked, and then nothing has to be left', async () => {
  let isStarted = false;
  const queue = eventQueue<number>(
    async () => {
      isStarted = true;
    },
    () => expect.unreachable(),
  );
  await new Promise((resolve) => setTimeout(resolve, 5));
  await queue.return?.();
  expect(await queue.next()).toMatchObject({ done: true });
  expect(isStarted).toBe(false);
});

test('a producer that fails fails the iteration once, after what it emitted', async () => {
  const queue = eventQueue<number>(
    async (emit) => {
      emit(1);
      emit(2);
      throw new Error('broken');
    },
    () => {},
  );
  expect(await queue.next()).toEqual({ done: false, value: 1 });
  expect(await queue.next()).toEqual({ done: false, value: 2 });
  await expect(queue.next()).rejects.toThrow('broken');
  expect(await queue.next()).toMatchObject({ done: true });
});

test('leaving is told once, and what is emitted later is dropped', async () => {
  let left = 0;
  let emitLater: (event: number) => void = () => {};
  const queue = eventQueue<number>(
    (emit) => {
      emitLater = emit;
      emit(1);
      return new Promise(() => {});
    },
    () => left++,
  );
  for await (const _event of queue) break;
  await queue.return?.();
  emitLater(2);
  expect(left).toBe(1);
  expect(await queue.next()).toMatchObject({ done: true });
});
