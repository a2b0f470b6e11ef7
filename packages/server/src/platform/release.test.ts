import { expect, test } from 'vitest';
import { compareReleases, findOldest } from './release.ts';

test.each([
  ['0.9.0', '0.10.0'],
  ['0.9.9', '1.0.0'],
  ['1.2.3', '1.2.4'],
  ['1.2.0-rc.2', '1.2.0'],
  ['1.2.0-rc.2', '1.2.0-rc.10'],
  ['1.1.9', '1.2.0-rc.1'],
])('%s comes before %s', (before, after) => {
  expect(compareReleases(before, after)).toBeLessThan(0);
  expect(compareReleases(after, before)).toBeGreaterThan(0);
  expect(compareReleases(after, after)).toBe(0);
  expect(findOldest([after, before, after])).toBe(before);
});
