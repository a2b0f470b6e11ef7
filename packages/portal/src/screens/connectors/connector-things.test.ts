import { expect, test } from 'vitest';
import { headersOf } from './connector-things.ts';

test('headers are one on each line, and values may hold colons', () => {
  expect(headersOf('Authorization: Bearer a:b\n\n x-team : ops ')).toEqual({
    Authorization: 'Bearer a:b',
    'x-team': 'ops',
  });
  expect(headersOf(' \n ')).toBeUndefined();
});

test('a line that is no header is refused without its value', () => {
  expect(() => headersOf('no colon here')).toThrow('is not "Name: value"');
  expect(() => headersOf(': secret')).toThrow(/^"" is not/);
  expect(() => headersOf('Authorization:')).toThrow('"Authorization" is not');
});
