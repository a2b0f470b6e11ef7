import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, test } from 'vitest';
import { createGathering } from './gathering.ts';

/** Actions that are ended by hand, with what each was given. */
function handDriven() {
  const given: number[][] = [];
  const ends: ((failure?: Error) => void)[] = [];
  const gather = createGathering<number, number>((items) => {
    given.push([...items]);
    return new Promise((resolve, reject) => {
      ends.push((failure) => (failure ? reject(failure) : resolve(items.map((item) => item * 10))));
    });
  });
  return { gather, given, end: (index: number, failure?: Error) => ends[index]?.(failure) };
}

test('the first item is acted on at once, and those that come meanwhile are together, in order', async () => {
  const { gather, given, end } = handDriven();
  const first = gather('a', 1);
  expect(given).toEqual([[1]]);
  const rest = [gather('a', 2), gather('a', 3), gather('a', 4)];
  expect(given).toEqual([[1]]);
  end(0);
  expect(await first).toBe(10);
  expect(given).toEqual([[1], [2, 3, 4]]);
  end(1);
  expect(await Promise.all(rest)).toEqual([20, 30, 40]);
});

test('one key waits for no other', () => {
  const { gather, given } = handDriven();
  void gather('a', 1);
  void gather('b', 2);
  expect(given).toEqual([[1], [2]]);
});

test('an action that fails fails for its items, and the next goes on', async () => {
  const { gather, end } = handDriven();
  const [first, second] = [gather('a', 1), gather('a', 2)];
  end(0, new Error('no'));
  await expect(first).rejects.toThrow('no');
  end(1);
  expect(await second).toBe(20);
});

test('an action belongs to who brought its first item, not to who brought the one before', async () => {
  const chain = new AsyncLocalStorage<string>();
  const seen: (string | undefined)[] = [];
  const gather = createGathering<number, number>(async (items) => {
    await Promise.resolve();
    seen.push(chain.getStore());
    return items;
  });
  await Promise.all(['first', 'second', 'third'].map((name, index) => chain.run(name, () => gather('a', index))));
  expect(seen).toEqual(['first', 'second']);
});

test('a key that was done with begins anew', async () => {
  const { gather, given, end } = handDriven();
  const first = gather('a', 1);
  end(0);
  await first;
  void gather('a', 2);
  expect(given).toEqual([[1], [2]]);
});

test('an action has at most 500 items', async () => {
  const { gather, given, end } = handDriven();
  const first = gather('a', 0);
  for (let item = 1; item <= 700; item += 1) void gather('a', item);
  end(0);
  await first;
  expect(given[1]).toHaveLength(500);
});

test('an action has at most the weight it may have, and an item that is heavier goes alone', async () => {
  const given: number[][] = [];
  const gather = createGathering<number, number>(
    async (items) => {
      given.push([...items]);
      return items;
    },
    { weight: { of: (item) => item, max: 10 } },
  );
  await Promise.all([1, 4, 6, 1, 30, 9, 1].map((item) => gather('a', item)));
  expect(given).toEqual([[1], [4, 6], [1], [30], [9, 1]]);
});

test('after an action of several items the next one waits for more, where it is to', async () => {
  const given: number[][] = [];
  const gather = createGathering<number, number>(
    async (items) => {
      given.push([...items]);
      return items;
    },
    { settleMs: 1 },
  );
  await Promise.all([gather('a', 1), gather('a', 2), gather('a', 3)]);
  await Promise.all([gather('a', 4), gather('a', 5)]);
  expect(given).toEqual([[1], [2, 3], [4, 5]]);
});
