import { describe, expect, test } from 'vitest';
import { compilePattern } from '../../platform/safe-pattern.ts';
import type { StoredBlueprint } from './blueprint.ts';
import { createPropertyChecker, createValueChecker } from './entity-validator.ts';

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

describe('slow patterns of many entities', () => {
  const checkEntity = createPropertyChecker(compilePattern);
  const definition = { schema: { properties: { name: { type: 'string', pattern: slow } } } };
  const blueprint = { orgId: 'org', key: 1, version: 1, definition } as unknown as StoredBlueprint;
  const checkAll = (from: number, tx: object) =>
    never(from, 20).map((name) => checkEntity(blueprint, { name }, tx as never));

  test('take no longer in one transaction than those of one entity, and the refusal says so', () => {
    const started = performance.now();
    const found = checkAll(200, {});
    expect(performance.now() - started).toBeLessThan(1_500);
    expect(found.every((issues) => issues.length === 1)).toBe(true);
    expect(found.at(-1)).toEqual([
      { path: '/properties/name', message: expect.stringMatching(/was not tested.*Send fewer values at once/) },
    ]);
  });

  test('leave other transactions their own time', () => {
    checkAll(300, {});
    expect(checkEntity(blueprint, { name: 'aaa' }, {} as never)).toEqual([]);
    expect(checkEntity(blueprint, { name: 'b' }, {} as never)).toMatchObject([
      { message: expect.stringMatching(/^must match pattern/) },
    ]);
  });
});
