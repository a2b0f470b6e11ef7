import { expect, test } from 'vitest';
import type { Field } from './fields.ts';
import type { Query } from './operators.ts';
import { type ChosenValue, chosenValues, withChosen } from './value-filter.ts';
import { stripText, toShares } from './value-shares.ts';

const field = (key: string, more: Partial<Field>): Field => ({
  key,
  title: key,
  source: 'property',
  shape: { type: 'string' },
  isRequired: false,
  ...more,
});
const risk = field('risk', { title: 'Risk', shape: { type: 'string', enum: ['low', 'high'] } });
const live = field('live', { shape: { type: 'boolean' } });
const ready = field('ready', { source: 'scorecard', levels: { Gold: 'gold' } });

const and = (...rules: Query['rules']): Query => ({ combinator: 'and', rules });
const or = (...rules: Query['rules']): Query => ({ combinator: 'or', rules });
const rule = (property: string, operator: string, value?: unknown) =>
  value === undefined ? { property, operator } : { property, operator, value };
const other = rule('tier', '=', 1);

test.each<[Field, readonly ChosenValue[], Query]>([
  [risk, ['low'], and(rule('risk', 'in', ['low']))],
  [risk, ['low', 'high'], and(rule('risk', 'in', ['low', 'high']))],
  [risk, [null], and(rule('risk', 'isEmpty'))],
  [risk, ['low', null], or(rule('risk', 'in', ['low']), rule('risk', 'isEmpty'))],
  [live, [false], and(rule('live', '=', false))],
  [live, [true, false], or(rule('live', '=', true), rule('live', '=', false))],
  [ready, ['Gold'], and({ scorecard: 'ready', operator: 'in', value: ['Gold'] })],
])('values of %o are chosen by one filter, found in it again, and gone without it', (of, values, query) => {
  expect(withChosen(undefined, of, values)).toEqual(query);
  expect(chosenValues(query, of)).toEqual(values);
  expect(withChosen(query, of, [])).toBeUndefined();
});

test('a choice stands beside other rules, in its own place', () => {
  const both = withChosen(and(other), risk, ['low']);
  expect(both).toEqual(and(other, rule('risk', 'in', ['low'])));
  const before = and(rule('risk', '=', 'low'), other);
  expect(chosenValues(before, risk)).toEqual(['low']);
  expect(withChosen(before, risk, ['high'])).toEqual(and(rule('risk', 'in', ['high']), other));
  expect(withChosen(before, risk, [])).toEqual(and(other));
});

test('rules of which one must hold stay together, and come back as they were', () => {
  const either = or(other, rule('risk', 'isEmpty'));
  expect(chosenValues(either, risk)).toEqual([]);
  const chosen = withChosen(either, risk, ['low']);
  expect(chosen).toEqual(and(either, rule('risk', 'in', ['low'])));
  expect(withChosen(chosen, risk, [])).toEqual(either);
});

test.each([
  [rule('risk', '!=', 'low')],
  [rule('risk', 'in', [])],
  [rule('risk', 'in', [{}])],
  [{ ...rule('risk', '=', 'low'), targetProperty: '$title' }],
  [{ relation: 'risk', operator: 'in', value: ['low'] }],
])('%j is no choice of values, and is left alone', (each) => {
  expect(chosenValues(and(each), risk)).toEqual([]);
  expect(withChosen(and(each), risk, [])).toEqual(and(each));
});

test('shares are of all that were counted, in the order of the model, with what it does not know', () => {
  const groups = [
    { value: 'high', count: 6 },
    { value: null, count: 3 },
    { value: 'odd', count: 1 },
  ];
  const shares = toShares(risk, { groups });
  expect(shares.map(({ text, count, share }) => [text, count, share])).toEqual([
    ['low', 0, 0],
    ['high', 6, 0.6],
    ['odd', 1, 0.1],
    ['No risk', 3, 0.3],
  ]);
  expect(stripText(risk, shares)).toBe('Risk: high 6, No risk 3, odd 1');
  expect(toShares(live, { groups: [] }, [null]).map(({ text }) => text)).toEqual(['Yes', 'No', 'No live']);
});
