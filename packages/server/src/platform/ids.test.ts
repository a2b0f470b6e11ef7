import { expect, test } from 'vitest';
import { newId, newUuid } from './ids.ts';

test('an id is its prefix and 16 letters or digits, and never the same', () => {
  const ids = Array.from({ length: 2_000 }, () => newId('e_'));
  for (const id of ids) expect(id).toMatch(/^e_[A-Za-z0-9]{16}$/);
  expect(new Set(ids).size).toBe(ids.length);
});

test('every letter and digit occurs about as often as every other', () => {
  const counts = new Map<string, number>();
  for (let count = 0; count < 4_000; count += 1) {
    for (const letter of newId('')) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  const expected = (4_000 * 16) / 62;
  expect(counts.size).toBe(62);
  for (const count of counts.values()) {
    expect(count).toBeGreaterThan(expected * 0.75);
    expect(count).toBeLessThan(expected * 1.25);
  }
});

test('a UUID is of version 4', () => {
  expect(newUuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
