import { expect, test } from 'vitest';
import { giveBackMemory } from './give-back-memory.ts';

const mebibyte = 1024 * 1024;

/** Whether memory was collected after each look, of which there is one for each utilization. */
function looks(utilizations: readonly number[], youngBytes = 16 * mebibyte): boolean[] {
  let look: (() => void) | undefined;
  let at = 0;
  let collections = 0;
  giveBackMemory({
    utilization: () => utilizations[at] as number,
    youngBytes: () => youngBytes,
    collect: () => {
      collections += 1;
    },
    every: (_ms, action) => {
      look = action;
    },
  });
  return utilizations.map((_, index) => {
    at = index;
    const before = collections;
    look?.();
    return collections > before;
  });
}

test('memory is given back at the third quiet look in a row', () => {
  expect(looks([0.9, 0.01, 0.01, 0.2, 0.01, 0.01, 0.01])).toEqual([false, false, false, false, false, false, true]);
});

test('it is given back once, and again after the next burst', () => {
  const [quiet, busy] = [0.01, 0.3];
  const collected = looks([quiet, quiet, quiet, quiet, quiet, quiet, busy, quiet, quiet, quiet, quiet]);
  expect(collected.flatMap((isCollected, look) => (isCollected ? [look] : []))).toEqual([2, 9]);
});

test('nothing is collected while there is little to give back, or never a quiet moment', () => {
  expect(looks([0, 0, 0, 0], 4 * mebibyte)).toEqual([false, false, false, false]);
  expect(looks([0.06, 0.04, 0.06, 0.04, 0.06])).toEqual(Array(5).fill(false));
});
