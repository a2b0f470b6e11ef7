import { expect, test } from 'vitest';
import { createTurns } from './take-turns.ts';

function work(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}

test('others go on once the work took its time, and not before', async () => {
  const takeTurns = createTurns(200);
  let turns = 0;
  const count = setImmediate(() => {
    turns += 1;
  });
  expect(takeTurns()).toBeUndefined();
  work(201);
  await takeTurns();
  expect(turns).toBe(1);
  clearImmediate(count);
  // the time begins anew
  expect(takeTurns()).toBeUndefined();
});
