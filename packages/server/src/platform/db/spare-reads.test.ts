import { expect, test } from 'vitest';
import { createTogether } from './spare-reads.ts';

/** Reads that end by hand, and how many are under way. */
function handDriven(count: number) {
  const ends: (() => void)[] = [];
  const reads = Array.from({ length: count }, (_, index) => async () => {
    await new Promise<void>((end) => ends.push(end));
    return index;
  });
  /** Ends those under way until there are none, and says how many there were each time. */
  const endAll = async (): Promise<number[]> => {
    const counts: number[] = [];
    for (let open = ends.splice(0); open.length > 0; open = ends.splice(0)) {
      counts.push(open.length);
      for (const end of open) end();
      await new Promise((turn) => setImmediate(turn));
    }
    return counts;
  };
  return { reads, endAll };
}

test('one caller reads at once what there are spare connections for, and gets all in order', async () => {
  const together = createTogether(2);
  const { reads, endAll } = handDriven(7);
  const answer = together(reads);
  expect(await endAll()).toEqual([3, 3, 1]);
  expect(await answer).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(await together([])).toEqual([]);
});

test('many callers share the spare connections, and none waits for one', async () => {
  const together = createTogether(2);
  const callers = Array.from({ length: 5 }, () => handDriven(3));
  const answers = callers.map(({ reads }) => together(reads));
  const counts = await Promise.all(callers.map(({ endAll }) => endAll()));
  expect(counts).toEqual([[3], [1, 1, 1], [1, 1, 1], [1, 1, 1], [1, 1, 1]]);
  for (const answer of answers) expect(await answer).toEqual([0, 1, 2]);
  const { reads, endAll } = handDriven(3);
  const alone = together(reads);
  expect(await endAll()).toEqual([3]);
  await alone;
});

test('a read that fails fails for its caller, who begins no other, and gives back what was taken', async () => {
  const together = createTogether(1);
  let begun = 0;
  const fails = async () => {
    begun += 1;
    await new Promise((turn) => setImmediate(turn));
    throw new Error('no');
  };
  await expect(together([fails, fails, fails, fails])).rejects.toThrow('no');
  await new Promise((turn) => setImmediate(turn));
  expect(begun).toBe(2);
  const { reads, endAll } = handDriven(2);
  const answer = together(reads);
  expect(await endAll()).toEqual([2]);
  await answer;
});
