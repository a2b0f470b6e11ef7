import { expect, test } from 'vitest';
import { parseHeaders } from './connector-things.ts';

test('headers are one on each line, and values may hold colons', () => {
  expect(parseHeaders('Authorization: Bearer a:b\n\n x-team : ops ')).toEqual({
    Authorization: 'Bearer a:b',
    'x-team': 'ops',
  });
  expect(parseHeaders(' \n ')).toBeUndefined();
});

test('a line that is no header is refused without its value', () => {
  expect(() => parseHeaders('no colon here')).toThrow('is not "Name: value"');
  expect(() => parseHeaders(': secret')).toThrow(/^"" is not/);
  expect(() => parseHeaders('Authorization:')).toThrow('"Authorization" is not');
});
