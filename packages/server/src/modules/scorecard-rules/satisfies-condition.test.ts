import type { ScorecardCondition } from '@portolan/contract/scorecards';
import { describe, expect, test } from 'vitest';
import { satisfiesCondition } from './satisfies-condition.ts';

const now = new Date('2026-03-02T09:00:00Z');
const holds = (value: unknown, operator: string, expected?: unknown, not?: boolean): boolean =>
  satisfiesCondition(
    value,
    {
      property: 'p',
      operator,
      ...(expected === undefined ? {} : { value: expected }),
      ...(not === undefined ? {} : { not }),
    } as ScorecardCondition,
    now,
  );

describe('emptiness is wider than in search', () => {
  test.each([undefined, null, '', [], {}])('%j is empty', (value) => {
    expect([holds(value, 'isEmpty'), holds(value, 'isNotEmpty')]).toEqual([true, false]);
    expect([holds(value, 'isEmpty', undefined, true), holds(value, 'isNotEmpty', undefined, true)]).toEqual([
      false,
      true,
    ]);
  });
  test.each([0, false, ' ', [null], { a: null }, 'x'])('%j is not', (value) => {
    expect([holds(value, 'isEmpty'), holds(value, 'isNotEmpty')]).toEqual([false, true]);
  });
});

/** Every pair of an operator and its opposite: they never agree. */
describe('operators', () => {
  test.each([
    ['=', 'a', 'a', true],
    ['=', 'a', 'A', false],
    ['=', 1, 1, true],
    ['=', 1, '1', false],
    ['=', false, false, true],
    ['=', ['a', 'b'], ['a', 'b'], true],
    ['=', ['b', 'a'], ['a', 'b'], false],
    ['=', undefined, 'a', false],
    ['=', null, '', false],
    ['contains', 'Payments', 'pay', true],
    ['contains', ['pay', 'ship'], 'pay', true],
    ['contains', ['payments'], 'pay', false],
    ['contains', ['a', 'b'], ['c', 'b'], true],
    ['contains', [1, 2], 2, true],
    ['contains', undefined, 'a', false],
    ['contains', '100%', '%', true],
    ['beginsWith', 'Rate Engine', 'rate', true],
    ['beginsWith', ['rate'], 'rate', false],
    ['beginsWith', 'Rate', ['x', 'ra'], true],
    ['endsWith', 'Rate Engine', 'ENGINE', true],
    ['endsWith', undefined, 'x', false],
    ['between', '2026-03-01T00:00:00Z', { from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z' }, true],
    ['between', '2026-03-01T02:00:00+02:00', { from: '2026-03-01T00:00:00Z', to: '2026-03-01T00:00:00Z' }, true],
    ['between', '2026-03-01', { from: '2026-02-01T00:00:00Z', to: '2026-03-02T00:00:00Z' }, false],
    ['between', '2026-02-27T09:00:00Z', { preset: 'lastWeek' }, true],
    ['between', '2026-02-20T09:00:00Z', { preset: 'lastWeek' }, false],
    ['between', null, { preset: 'lastWeek' }, false],
  ])('%s of %j with %j is %j, and its opposite the opposite', (operator, value, expected, truth) => {
    const opposite: Record<string, string> = {
      '=': '!=',
      contains: 'doesNotContains',
      beginsWith: 'doesNotBeginsWith',
      endsWith: 'doesNotEndsWith',
      between: 'notBetween',
    };
    expect(holds(value, operator, expected)).toBe(truth);
    expect(holds(value, opposite[operator] as string, expected)).toBe(!truth);
  });

  test.each([
    [1, [true, true, false, false], 0],
    [0, [false, true, false, true], 0],
    [-1, [false, false, true, true], 0],
    ['1', [false, false, false, false], 0],
    [undefined, [false, false, false, false], 0],
    ['2026-03-02T10:00:00+01:00', [false, true, false, true], '2026-03-02T09:00:00Z'],
    ['2026-03-03T00:00:00Z', [true, true, false, false], '2026-03-02T09:00:00Z'],
    ['b', [false, false, false, false], 'a'],
    [true, [false, false, false, false], false],
  ])('order of %j: > >= < <= are %j with %j', (value, truths, bound) => {
    expect(['>', '>=', '<', '<='].map((operator) => holds(value, operator, bound))).toEqual(truths);
  });

  test.each([
    ['a', ['a', 'b'], true],
    ['c', ['a', 'b'], false],
    [['c', 'b'], ['a', 'b'], true],
    [['c'], ['a', 'b'], false],
    [[], ['a'], false],
    [undefined, ['a'], false],
    ['a', [], false],
  ])('in and containsAny of %j with %j are %j', (value, list, truth) => {
    expect([holds(value, 'in', list), holds(value, 'containsAny', list)]).toEqual([truth, truth]);
  });

  test('two long lists cost their sum, not their product', () => {
    const list = (prefix: string) => Array.from({ length: 20_000 }, (_, index) => `${prefix}${index}`);
    const [value, sought] = [list('a'), list('b')];
    const started = performance.now();
    for (const operator of ['containsAny', 'contains', 'doesNotContains']) {
      expect(holds(value, operator, sought)).toBe(operator === 'doesNotContains');
      expect(holds([...value, 'b7'], operator, sought)).toBe(operator !== 'doesNotContains');
    }
    expect(performance.now() - started).toBeLessThan(500);
  });

  test('= takes a range as between does', () => {
    expect(holds('2026-03-02T08:00:00Z', '=', { preset: 'today' })).toBe(true);
    expect(holds('2026-03-01T08:00:00Z', '=', { preset: 'today' })).toBe(false);
  });
});
