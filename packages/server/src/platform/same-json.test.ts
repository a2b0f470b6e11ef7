import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { isSameJson } from './same-json.ts';

const values: readonly unknown[] = [
  null,
  true,
  false,
  0,
  1,
  '',
  'a',
  [],
  [1],
  [1, 2],
  [2, 1],
  [null],
  [[1]],
  {},
  { a: 1 },
  { b: 1 },
  { a: 1, b: 2 },
  { a: [1, { b: null }] },
  { a: [1, { b: false }] },
  { 0: 1 },
  { length: 0 },
  JSON.parse('{"constructor": 1}'),
  JSON.parse('{"toString": "x", "a": {}}'),
];

describe('isSameJson', () => {
  it('says of every pair what a deep comparison says', () => {
    for (const one of values) {
      for (const other of values) {
        const copy: unknown = JSON.parse(JSON.stringify(other));
        expect([one, other, isSameJson(one, copy)]).toEqual([one, other, isDeepStrictEqual(one, copy)]);
      }
    }
  });

  it('does not look at the order of keys', () => {
    expect(isSameJson({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 })).toBe(true);
  });

  it('takes a member without a value for absent, and minus zero for zero, as both are once written', () => {
    expect(isSameJson({ a: 1, b: undefined }, { a: 1 })).toBe(true);
    expect(isSameJson({ a: 1 }, { a: 1, b: undefined })).toBe(true);
    expect(isSameJson({ a: undefined }, { b: 1 })).toBe(false);
    expect(isSameJson([-0], [0])).toBe(true);
  });
});
