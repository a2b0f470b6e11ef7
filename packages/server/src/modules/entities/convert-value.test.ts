import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { convertValue } from './convert-value.ts';

const number = { type: 'number' } as const;
const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

describe('a text for a number', () => {
  test.each([
    ['5', 5],
    ['-0.5', -0.5],
    [' 85.3 ', 85.3],
    ['1e3', 1000],
    ['9007199254740991', 9007199254740991],
  ])('%j is %d', (written, value) => {
    expect(convertValue(number, written)?.value).toBe(value);
  });

  test.each([
    [''],
    [' '],
    ['007'],
    ['1,5'],
    ['+5'],
    ['0x10'],
    ['5 MB'],
    ['NaN'],
    ['Infinity'],
    ['1e999'],
    ['9007199254740993'],
  ])('%j stays what it is, to be refused', (written) => {
    expect(convertValue(number, written)).toBeUndefined();
  });

  test('every number comes back from its own text', () => {
    const numbers = fc.double({ noNaN: true, noDefaultInfinity: true }).filter((each) => Math.abs(each) < 2 ** 53);
    fc.assert(fc.property(numbers, (each) => convertValue(number, JSON.stringify(each))?.value === each + 0));
  });
});

test('a number for a text is the text that JSON writes for it', () => {
  expect(convertValue(text, 12)?.value).toBe('12');
  expect(convertValue(text, 1.5)?.value).toBe('1.5');
});

test.each([
  ['true', true],
  ['False', false],
])('%j for true or false is %j', (written, value) => {
  expect(convertValue(flag, written)?.value).toBe(value);
});

test('what is not certain is never converted', () => {
  for (const value of [true, null, {}, ['5'], 'x']) {
    expect(convertValue(text, value)).toBeUndefined();
    expect(convertValue({ type: 'object' }, value)).toBeUndefined();
  }
  for (const value of [1, 0, 'yes', '1', '']) expect(convertValue(flag, value)).toBeUndefined();
  for (const value of [true, null, ['5']]) expect(convertValue(number, value)).toBeUndefined();
});

test('items of a list are converted each for itself', () => {
  expect(convertValue({ type: 'array', items: number }, ['1', 2, 'x'])?.value).toEqual([1, 2, 'x']);
  expect(convertValue({ type: 'array', items: text }, ['1', 2])?.value).toEqual(['1', '2']);
  expect(convertValue({ type: 'array', items: text }, ['1', 'x'])).toBeUndefined();
  expect(convertValue({ type: 'array' }, ['1', 2])).toBeUndefined();
});
