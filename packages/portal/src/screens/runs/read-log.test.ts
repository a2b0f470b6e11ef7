import { expect, test } from 'vitest';
import { type LogLine, nextLookMs, readOn } from './read-log.ts';

const all = Array.from({ length: 120 }, (_, index) => ({ id: String(index) }) as LogLine);

test('a log is read on where it ended, and looked at less often while nothing comes', async () => {
  const offsets: number[] = [];
  const read = (until: number) => async (offset: number) => {
    offsets.push(offset);
    return all.slice(offset, Math.min(until, offset + 50));
  };
  const first = await readOn(undefined, read(100));
  expect([first.lines.length, first.quietLooks, first.hasMore]).toEqual([100, 0, false]);
  const second = await readOn(first, read(120));
  expect(second.lines.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
  const third = await readOn(second, read(120));
  expect([third.lines.length, third.quietLooks]).toEqual([120, 1]);
  expect(offsets).toEqual([0, 50, 100, 100, 120]);
  expect([0, 2, 3, 50].map(nextLookMs)).toEqual([1500, 1500, 2250, 15_000]);
});
