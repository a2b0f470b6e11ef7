import { expect, test } from 'vitest';
import type { CallInput } from '../../../platform/tools/call-decision.ts';
import { findCarriers, type LookupToDecide } from './decide-lookup.ts';

const call: LookupToDecide = {
  risk: 'standard',
  inputs: [],
  isDataShown: true,
  vouching: ['Which tickets of cart are open since 2030?', 'You look for bugs'],
  ownAnswers: ['T-1 the disk is full', 'next page\neyJhIjoxfQ=='],
};

const carries = (value: unknown, form: CallInput['form'] = 'text', more: Partial<LookupToDecide> = {}) =>
  findCarriers({ ...call, ...more, inputs: [{ key: 'text', value, form }] }).length > 0;

test.each<[string, unknown]>([
  ['words of the question', 'tickets of cart'],
  ['words of the prompt', 'bugs'],
  ['a number of the question', 2030],
  ['some words of the question', ['cart', 'open']],
  ['a name that the server told', 'T-1'],
  ['the mark of its next page', 'eyJhIjoxfQ=='],
])('%s may leave', (_what, value) => {
  expect(carries(value)).toBe(false);
});

test.each<[string, unknown]>([
  ['a text that was read', 'master key 9f3'],
  ['one beside words of the question', 'cart 9f3'],
  ['a part of a word', 'car'],
  ['other letters than the question has', 'CART'],
  ['other blanks', 'tickets  of\tcart'],
  ['blanks around', ' cart'],
  ['a letter that only looks the same', 'c\u0430rt'],
  ['characters that nobody sees', 'cart\u200b'],
  ['another number', 2031],
  ['equal words, whose number could count', ['cart', 'cart']],
  ['empty words', ['', 'cart']],
  ['lists in lists', [[], []]],
  ['a list that is long', Array.from({ length: 11 }, (_, index) => `w${index}`)],
  ['an object, whose names are text', { '9f3': 'cart' }],
  ['a list of what the server told', ['T-1', 'disk']],
])('%s may not', (_what, value) => {
  expect(carries(value)).toBe(true);
});

test('what the person looks at may leave as it is, and nothing more of it', () => {
  expect(carries('geo.tiles', 'text', { lookedAt: 'geo.tiles' })).toBe(false);
  expect(carries('geo', 'text', { lookedAt: 'geo.tiles' })).toBe(true);
  expect(carries('geo.tiles')).toBe(true);
});

test('a few closed values may leave, many and those of strict tools may not', () => {
  const closed = (count: number) =>
    Array.from({ length: count }, (_, index): CallInput => ({ key: `k${index}`, value: true, form: 'closed' }));
  expect(findCarriers({ ...call, inputs: closed(8) })).toEqual([]);
  expect(findCarriers({ ...call, inputs: closed(9) })).toHaveLength(9);
  expect(findCarriers({ ...call, risk: 'strict', inputs: closed(1) })).toEqual(['k0']);
  expect(carries('', 'closed')).toBe(false);
  expect(carries(null, 'closed', { risk: 'strict' })).toBe(true);
});

test('the arguments in the way are named', () => {
  const inputs: CallInput[] = ['cart', '9f3', 'secret'].map((value, index) => ({
    key: `k${index}`,
    value,
    form: 'text',
  }));
  expect(findCarriers({ ...call, inputs })).toEqual(['k1', 'k2']);
});
