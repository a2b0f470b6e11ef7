import { expect, test } from 'vitest';
import { formatNumber } from './number.ts';
import { parseJson } from './parse-json.ts';
import { stringify } from './stringify.ts';

test.each([
  [0, '0'],
  [-0, '-0'],
  [1e15, '1000000000000000'],
  [1e16, '1e+16'],
  [1.5e16, '15000000000000000'],
  [1e17, '1e+17'],
  [0.0001, '0.0001'],
  [0.00001, '1e-05'],
  [1.5e300, '1.5e+300'],
  [Number.POSITIVE_INFINITY, '1.7976931348623157e+308'],
  [Number.NaN, 'null'],
  [0.1 + 0.2, '0.30000000000000004'],
  [123456789012345680000, '123456789012345680000'],
])('%d prints as jq prints it', (value, text) => expect(formatNumber(value)).toBe(text));

test('the reader takes what jq takes', () => {
  expect(parseJson('[nan, +1, 01, .5, 5.]')).toEqual([Number.NaN, 1, 1, 0.5, 5]);
  expect(stringify(parseJson('{"b":1,"0":2,"b":3}')!)).toBe('{"b":3,"0":2}');
  expect(parseJson('"\\ud800x"')).toBe('\ufffdx');
  expect(parseJson('  ')).toBeUndefined();
  expect(() => parseJson('[1,2')).toThrow('Unfinished JSON term at EOF at line 1, column 4');
  expect(() => parseJson('['.repeat(20_000))).toThrow('Exceeds depth limit for parsing');
});
