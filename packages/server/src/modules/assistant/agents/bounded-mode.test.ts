import { expect, test } from 'vitest';
import { boundedMode } from './bounded-mode.ts';

test.each([
  [undefined, undefined, 'Manual Approval'],
  ['Automatic', undefined, 'Automatic'],
  ['Manual Approval', undefined, 'Manual Approval'],
  [undefined, 'Automatic', 'Automatic'],
  ['Automatic', 'Automatic', 'Automatic'],
  ['Manual Approval', 'Automatic', 'Manual Approval'],
  [undefined, 'Manual Approval', 'Manual Approval'],
  ['Automatic', 'Manual Approval', 'Manual Approval'],
] as const)('asked for %s of an agent in mode %s: %s', (asked, ofAgent, mode) => {
  expect(boundedMode(asked, ofAgent)).toBe(mode);
});
