import { expect, test } from 'vitest';
import { placeOf, readItem, readItems } from './manual-item.ts';

const sent = {
  id: 'calculation checkout first_owner',
  area: 'calculation',
  resource: { kind: 'blueprint', identifier: 'checkout', title: 'Checkout' },
  element: { kind: 'property', identifier: 'first_owner' },
  pointer: '/calculationProperties/first_owner/calculation',
  why: 'puts out teams',
  verdict: 'review',
  before: '.team[0]',
  suggestion: { value: null, explanation: 'Remove it', edits: [] },
};

test('an item of the plan is read with its place, and a suggestion to remove is one', () => {
  const item = readItem(sent);
  expect(item && placeOf(item)).toBe(
    'Blueprint Checkout (checkout) · first_owner · /calculationProperties/first_owner/calculation',
  );
  expect(item?.suggestion).toEqual({ value: null, explanation: 'Remove it' });
  expect(readItem({ ...sent, suggestion: undefined })?.suggestion).toBeUndefined();
});

test('what is no item is left out, and what is missing is empty', () => {
  expect(readItems([null, 3, 'text', [], {}, { id: 7 }])).toEqual([]);
  expect(readItem({ id: 'a', resource: 'x', element: [] })).toMatchObject({
    id: 'a',
    identifier: '',
    verdict: 'review',
  });
});
