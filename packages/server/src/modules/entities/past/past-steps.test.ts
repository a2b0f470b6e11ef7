import { expect, test } from 'vitest';
import { lookedAtMax, nextStep } from './past-steps.ts';

test.each([
  ['begins with a page', 50, 0, 0, 50],
  ['begins with a page, or enough to judge by', 5, 0, 0, 50],
  ['goes on with as many as the rules seem to leave', 50, 10, 50, 240],
  ['goes on with more where nothing was found', 50, 0, 50, 200],
  ['reads no more than 500 at a time', 50, 1, 500, 500],
  ['looks at no more than a page may cost', 50, 0, lookedAtMax - 100, 100],
])('%s', (_what, limit, found, lookedAt, expected) => {
  expect(nextStep(limit, found, lookedAt)).toBe(expected);
});
