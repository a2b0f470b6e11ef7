import { expect, test } from 'vitest';
import { createReceiverPlaces, type Place, type ReceiverPlaces } from './receiver-places.ts';

const takeMany = (places: ReceiverPlaces, count: number, receiver = (_at: number) => 'slow', org = 'a'): Place[] =>
  Array.from({ length: count }, (_, at) => places.take(org, receiver(at)));
const had = (taken: readonly Place[]) => taken.filter((place) => 'leave' in place).length;

test('a receiver has eight places of an organization; others are still reached', () => {
  const places = createReceiverPlaces();
  expect(had(takeMany(places, 20))).toBe(8);
  expect(had(takeMany(places, 1, () => 'quick'))).toBe(1);
  expect(had(takeMany(places, 20, () => 'slow', 'b'))).toBe(8);
});

test('an organization has twenty-four places, however many receivers it has', () => {
  const places = createReceiverPlaces();
  expect(had(takeMany(places, 100, (at) => `host ${at}`))).toBe(24);
  expect(had(takeMany(places, 1, () => 'host 1', 'b'))).toBe(1);
});

test('a place that is left is free again, once', () => {
  const places = createReceiverPlaces();
  const [first] = takeMany(places, 8);
  if (first && 'leave' in first) {
    first.leave();
    first.leave();
  }
  expect(had(takeMany(places, 8))).toBe(1);
});

test('the more wait, the later they are tried, and never later than half a minute', () => {
  const places = createReceiverPlaces();
  const waits = takeMany(places, 5000).flatMap((place) => ('waitMs' in place ? [place.waitMs] : []));
  expect(waits[0]).toBe(100);
  expect(waits).toEqual([...waits].sort((a, b) => a - b));
  expect(waits.at(-1)).toBe(30_000);
});
