import { expect, test } from 'vitest';
import { burnDown } from './burn-down.ts';

const day = (name: string, reached: number, total = 10) => ({ day: name, total, reached });

test('what is open falls from left to right, beside a line that ends with nothing on the due date', () => {
  const drawn = burnDown([day('2027-01-01', 0), day('2027-01-06', 5)], day('2027-01-11', 8), '2027-01-21');
  expect(drawn).toMatchObject({ from: '2027-01-01', to: '2027-01-21', openMax: 10 });
  expect(drawn?.line).toEqual([
    { x: 0, y: 0 },
    { x: 0.25, y: 0.5 },
    { x: 0.5, y: 0.8 },
  ]);
  expect(drawn?.ideal).toEqual([
    { x: 0, y: 0 },
    { x: 1, y: 1 },
  ]);
});

test('after the due date the drawing goes on, and the ideal line ends where it was due', () => {
  const drawn = burnDown([day('2027-01-01', 0)], day('2027-01-11', 4), '2027-01-06');
  expect(drawn?.to).toBe('2027-01-11');
  expect(drawn?.ideal[1]).toEqual({ x: 0.5, y: 1 });
});

test('entities that join raise the line; today counts once', () => {
  const drawn = burnDown([day('2027-01-01', 0), day('2027-01-02', 1)], day('2027-01-02', 0, 20), '2027-01-03');
  expect(drawn?.days).toEqual([
    { day: '2027-01-01', open: 10 },
    { day: '2027-01-02', open: 20 },
  ]);
  expect(drawn?.openMax).toBe(20);
});

test('one day is no history', () => {
  expect(burnDown([], day('2027-01-02', 0), '2027-01-03')).toBeUndefined();
  expect(burnDown([day('2027-01-02', 0)], day('2027-01-02', 0), '2027-01-03')).toBeUndefined();
});
