import { JqBudgetError } from '@portolan/jq';
import { describe, expect, test } from 'vitest';
import {
  compileExpression,
  evaluateCondition,
  evaluateExpression,
  evaluateMapping,
  expressionLimits,
} from './expressions.ts';

const now = new Date('2026-05-01T10:00:00Z');
const uses = Object.keys(expressionLimits) as (keyof typeof expressionLimits)[];

describe.each(uses)('an expression of a %s', (use) => {
  test('has the quoting of the platform, the time it is given, and look-around in patterns', () => {
    const of = (expression: string) => evaluateExpression(use, expression, { name: 'svc-a' }, now);
    expect(of(".name == 'svc-a'")).toEqual({ value: true });
    expect(of('now')).toEqual({ value: now.getTime() / 1000 });
    expect(of('.name | test("^(?!old-)svc")')).toEqual({ value: true });
    expect(of('empty')).toEqual({ value: undefined });
  });

  test('that fails, or never ends, is an answer', () => {
    expect(evaluateExpression(use, '.a | error', { a: 'no' }, now)).toEqual({ error: expect.any(Error) });
    expect(evaluateExpression(use, '.a |', {}, now)).toEqual({ error: expect.any(Error) });
    expect(evaluateExpression(use, 'until(false; .)', {}, now)).toEqual({ error: expect.any(JqBudgetError) });
  });
});

// what expressions give is stored, and from outside it may come in base64
test.each(['"YQBi" | @base64d', '{k: [{("YQBi" | @base64d): 1}]}', '[["YQBi" | @base64d]]'])(
  '%s fails, because the database takes no U+0000 in a text',
  (expression) => {
    const message = expect.stringContaining('U+0000 is refused: it cannot be stored');
    for (const use of uses) expect(evaluateExpression(use, expression, {}, now)).toMatchObject({ error: { message } });
    expect(evaluateMapping(expression, {}, now)).toEqual({ error: message });
    expect(evaluateExpression('workflow', `${expression} | true`, {}, now)).toEqual({ value: true });
  },
);

test('limits are those of the purpose: a calculation ends after fewer steps than a condition of a policy', () => {
  const stepsOf = (use: 'calculation' | 'policy') => {
    try {
      return compileExpression(use, 'until(false; .)').first(null, { now, budget: { wallTimeMs: 60_000 } });
    } catch (error) {
      return (error as JqBudgetError).bound;
    }
  };
  expect([stepsOf('calculation'), stepsOf('policy')]).toEqual([100_000, 2_000_000]);
});

test('the expressions of a condition share the time of one, so that a hundred slow ones hold nobody up', () => {
  const slow = 'until(false; .)';
  expect(evaluateCondition(['true', '.a'], { a: 1 }, now)).toEqual([{ value: true }, { value: 1 }]);
  const results = evaluateCondition([...Array<string>(100).fill(slow), 'true'], {}, now);
  expect(results).toHaveLength(101);
  expect(results.at(-1)).toEqual({ error: expect.any(JqBudgetError) });
});
