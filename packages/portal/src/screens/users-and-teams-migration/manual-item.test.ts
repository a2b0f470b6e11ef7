import { expect, test } from 'vitest';
import { describePlace, isSafe, isSame, type ManualItem, readItem, readItems } from './manual-item.ts';

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
  expect(item && describePlace(item)).toBe(
    'Blueprint Checkout (checkout) · first_owner · /calculationProperties/first_owner/calculation',
  );
  expect(item?.suggestion).toEqual({ value: null, explanation: 'Remove it', isPartial: false });
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

test('what breaks and has a text to write is safe; a removal and what may be meant are not', () => {
  const read = (changes: object) => isSafe(readItem({ ...sent, ...changes }) as ManualItem);
  expect(read({ verdict: 'breaks', suggestion: { value: '.team[0]', explanation: '' } })).toBe(true);
  expect(read({ verdict: 'breaks' })).toBe(false);
  expect(read({ verdict: 'breaks', suggestion: undefined })).toBe(false);
  expect(read({ verdict: 'breaks', suggestion: { value: 'x', explanation: '', isPartial: true } })).toBe(false);
  expect(read({ verdict: 'review', suggestion: { value: '.team[0]', explanation: '' } })).toBe(false);
});

test('a sample is read, also of nothing', () => {
  expect(readItem({ ...sent, sample: { of: 'checkout "a"', before: null, after: 'x' } })?.sample).toEqual({
    of: 'checkout "a"',
    before: null,
    after: 'x',
  });
  expect(readItem(sent)?.sample).toBeUndefined();
});

test('values are the same in whatever order their keys are', () => {
  expect(isSame({ a: 1, b: [{ c: 2, d: 3 }] }, { b: [{ d: 3, c: 2 }], a: 1 })).toBe(true);
  expect(isSame(undefined, null)).toBe(true);
  expect(isSame(['a', 'b'], ['b', 'a'])).toBe(false);
});
