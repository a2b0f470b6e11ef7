import { describe, expect, test } from 'vitest';
import { compilePattern } from '../../platform/safe-pattern.ts';
import { createValueChecker } from './entity-validator.ts';

const check = createValueChecker(compilePattern);
/** Only a backtracking engine can run it, and no engine in time on what follows. */
const slow = '^(?=(a+)+$)';
const never = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => `${'a'.repeat(40)}!${from + index}`);
const list = (pattern: string) => ({ list: { type: 'array', items: { type: 'string', pattern } } }) as const;

describe('a pattern that takes long', () => {
  test('takes no longer for a list of texts than for two, and they do not match', () => {
    const started = performance.now();
    const issues = check(list(slow), { list: never(0, 60) });
    expect(issues).toHaveLength(60);
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  test('leaves the checks after it alone', () => {
    expect(check(list(slow), { list: never(100, 3) })).toHaveLength(3);
    expect(check(list(slow), { list: ['aaa', 'b'] })).toMatchObject([{ path: '/properties/list/1' }]);
  });

  test('is not one that only meets many texts', () => {
    const texts = Array.from({ length: 2_000 }, (_, index) => `a${index}`);
    expect(check(list('^(?=a)a[0-9]+$'), { list: texts })).toEqual([]);
    expect(check(list('^a[0-9]+$'), { list: texts })).toEqual([]);
  });
});
