import { expect, test } from 'vitest';
import { readTrail, stepsMax, toggleStep, writeTrail } from './trail.ts';

const step = (identifier: string) => ({ blueprint: 'service', identifier });

test('a trail survives the address, with slashes and spaces in identifiers', () => {
  const trail = [step('a/b c'), step('d')];
  expect(readTrail(writeTrail(trail))).toEqual(trail);
  expect(writeTrail([])).toBeUndefined();
});

test('half a step and more steps than fit are dropped', () => {
  expect(readTrail(['service'])).toEqual([]);
  expect(readTrail(undefined)).toEqual([]);
  expect(readTrail(Array.from({ length: 40 }, () => 'x'))).toHaveLength(stepsMax);
});

test('opening closes the columns beyond, and opening again closes', () => {
  const open = toggleStep([step('a'), step('b')], 0, step('c'));
  expect(open).toEqual([step('c')]);
  expect(toggleStep(open, 0, step('c'))).toEqual([]);
});

test('no more columns open than fit', () => {
  const full = Array.from({ length: stepsMax }, (_, index) => step(String(index)));
  expect(toggleStep(full, stepsMax, step('more'))).toEqual(full);
});
