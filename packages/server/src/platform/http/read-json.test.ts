import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppError } from '../errors.ts';
import { readJson } from './read-json.ts';

function refusal(text: string): { code: string; paths: string[] } {
  try {
    readJson(text);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const details = Array.isArray(error.details) ? (error.details as { path: string }[]) : [];
    return { code: error.code, paths: details.map(({ path }) => path) };
  }
  return { code: 'none', paths: [] };
}

const nested = (depth: number, inside = '1') => '['.repeat(depth) + inside + ']'.repeat(depth);

// refused, see below
const namesPrototype = (text: string) => /"(?:__proto__|constructor)"/.test(text);

test('reads every JSON value as it is', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      fc.pre(!namesPrototype(text));
      expect(readJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

test('nothing is no body', () => {
  expect(readJson('')).toBeUndefined();
});

test.each(['{', '{"a":1}}', 'undefined', '"\u0000"', '{"__proto__":1}', '{"constructor":{"prototype":1}}'])(
  '%j is not read',
  (text) => {
    expect(refusal(text).code).toBe('invalid_json');
  },
);

describe('nesting', () => {
  test('of 200 levels is read, and no more', () => {
    expect(refusal(nested(200)).code).toBe('none');
    expect(refusal(nested(201))).toEqual({ code: 'invalid_request', paths: [''] });
  });

  test('of any depth is refused without a walk', () => {
    expect(refusal(nested(500_000)).code).toBe('invalid_request');
    expect(refusal('{"a":'.repeat(100_000)).code).toBe('invalid_request');
  });

  test('is counted outside of texts only', () => {
    const brackets = JSON.stringify({ a: `"${'['.repeat(1000)}\\`, b: '{'.repeat(1000) });
    expect(refusal(brackets).code).toBe('none');
    expect(refusal(`[${Array(500).fill('[]').join(',')}]`).code).toBe('none');
  });
});

describe('values', () => {
  const listOf = (count: number) => `[${Array(count).fill('1').join(',')}]`;
  const objectOf = (count: number) => `{${Array.from({ length: count }, (_, key) => `"${key}":1`).join(',')}}`;

  test.each([
    ['a list', listOf],
    ['an object', objectOf],
    [
      'lists in lists',
      (count: number) =>
        `[${Array(count / 10)
          .fill(listOf(10))
          .join(',')}]`,
    ],
  ])('of %s are counted, and more than 20,000 refused', (_name, bodyOf) => {
    expect(refusal(bodyOf(20_000)).code).toBe('none');
    expect(refusal(bodyOf(20_010))).toEqual({ code: 'invalid_request', paths: [''] });
  });

  test('are counted outside of texts only', () => {
    expect(refusal(JSON.stringify({ a: `"${','.repeat(60_000)}` })).code).toBe('none');
  });
});

describe('text that cannot be stored', () => {
  test('is named with its path, keys included', () => {
    const text = '{"a":"x\\u0000","b":[{"c/d":"\\ud800"},"\\uDC00x"],"\\u0000":1,"e":"fine"}';
    expect(refusal(text)).toEqual({ code: 'invalid_request', paths: ['/a', '/b/0/c~1d', '/b/1', ''] });
  });

  test('has no counterpart among numbers but those beyond all range', () => {
    const digits = '9'.repeat(400);
    expect(refusal(`{"a":[1e999,-1E+400],"b":${digits}}`).paths).toEqual(['/a/0', '/a/1', '/b']);
    expect(readJson('[1e300,1e-999,"1e999",0.1]')).toEqual([1e300, 0, '1e999', 0.1]);
  });

  test('whole pairs and other escapes are fine', () => {
    expect(readJson('"\\ud83d\\ude00 \\u0001 \\\\u0000"')).toBe('😀 \u0001 \\u0000');
  });
});
