import { setTimeout } from 'node:timers/promises';
import { JqBudgetError } from '@portolan/jq';
import { describe, expect, test } from 'vitest';
import { shareTime } from './evaluation-time.ts';
import {
  compileExpression,
  evaluateExpression,
  evaluateMapping,
  expressionLimits,
  firstOutput,
  mapWithin,
  renderDocument,
} from './expressions.ts';

const now = new Date('2026-05-01T10:00:00Z');
const aSecond = () => shareTime(now, 1_000);
const uses = Object.keys(expressionLimits) as (keyof typeof expressionLimits)[];

describe.each(uses)('an expression of a %s', (use) => {
  test('has the quoting of the platform, the time it is given, and look-around in patterns', () => {
    const of = (expression: string) => evaluateExpression(use, expression, { name: 'svc-a' }, aSecond());
    expect(of(".name == 'svc-a'")).toEqual({ value: true });
    expect(of('now')).toEqual({ value: now.getTime() / 1000 });
    expect(of('.name | test("^(?!old-)svc")')).toEqual({ value: true });
    expect(of('empty')).toEqual({ value: undefined });
  });

  test('that fails, or never ends, is an answer', () => {
    expect(evaluateExpression(use, '.a | error', { a: 'no' }, aSecond())).toEqual({ error: expect.any(Error) });
    expect(evaluateExpression(use, '.a |', {}, aSecond())).toEqual({ error: expect.any(Error) });
    expect(evaluateExpression(use, 'until(false; .)', {}, aSecond())).toEqual({ error: expect.any(JqBudgetError) });
  });
});

// what expressions give is stored, and from outside it may come in base64
test.each(['"YQBi" | @base64d', '{k: [{("YQBi" | @base64d): 1}]}', '[["YQBi" | @base64d]]'])(
  '%s fails, because the database takes no U+0000 in a text',
  (expression) => {
    const message = expect.stringContaining('U+0000 is refused: it cannot be stored');
    for (const use of uses)
      expect(evaluateExpression(use, expression, {}, aSecond())).toMatchObject({ error: { message } });
    expect(evaluateMapping(expression, {}, now)).toEqual({ error: message });
    expect(evaluateExpression('workflow', `${expression} | true`, {}, aSecond())).toEqual({ value: true });
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

const slow = 'until(false; .)';

test('what shares a time ends with it, so that a hundred slow ones hold nobody up', () => {
  const time = shareTime(now, 50);
  const startedAt = performance.now();
  for (let count = 0; count < 100; count += 1) {
    expect(evaluateExpression('form', slow, {}, time)).toEqual({ error: expect.any(JqBudgetError) });
  }
  // each alone may take 200 ms
  expect(performance.now() - startedAt).toBeLessThan(2_000);
  expect(() => firstOutput('policy', 'true', {}, time)).toThrow('limit reached: wallTime (50)');
});

test('templates that have no time left are null, and told', () => {
  const told: string[] = [];
  const document = { a: `{{ ${slow} }}`, b: '{{ 1 }}', c: 'text' };
  const rendered = renderDocument('backend', document, {}, shareTime(now, 20), ({ path }) => told.push(path.join()));
  expect([rendered, told]).toEqual([{ a: null, b: null, c: 'text' }, ['a', 'b']]);
});

test('what happens between evaluations takes nothing of their time', async () => {
  const { evaluate, isOver } = mapWithin(shareTime(now, 100));
  expect(evaluate('1', {}, now)).toEqual({ value: 1 });
  await setTimeout(120);
  expect(await isOver()).toBe(false);
  for (let count = 0; count < 3; count += 1) evaluate(slow, {}, now);
  expect(await isOver()).toBe(true);
});
