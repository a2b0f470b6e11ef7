import type { AutomationTrigger } from '@portolan/contract/actions';
import { expect, test } from 'vitest';
import { timeOfOne } from '../../platform/expressions.ts';
import { checkCondition, decideCondition } from './check-condition.ts';

const now = new Date('2026-05-01T10:00:00Z');
// refused at once for the length of the text
const costs = '"xx" * 1e9';

test.each<['and' | 'or', string[], string]>([
  ['and', [], 'holds'],
  ['or', [], 'holds'],
  ['and', ['true', '.a == 1'], 'holds'],
  ['and', ['true', 'error'], 'fails'],
  ['or', ['false', '.a'], 'fails'],
  ['or', ['error', 'true'], 'holds'],
  ['and', ['true', costs], 'undecided'],
  ['and', [costs, 'true'], 'undecided'],
  ['or', [costs, 'false'], 'undecided'],
  ['and', [costs, 'false'], 'fails'],
  ['or', [costs, 'true'], 'holds'],
])('%s of %j: %s', (combinator, expressions, expected) => {
  const trigger = { condition: { type: 'JQ', expressions, combinator } } as unknown as AutomationTrigger;
  const time = () => timeOfOne('condition of an automation', now);
  const verdict = decideCondition(trigger, { a: 1 }, time());
  expect(typeof verdict === 'string' ? verdict : 'undecided').toBe(expected);
  expect(checkCondition(trigger, { a: 1 }, time()).holds).toBe(expected === 'holds');
});
