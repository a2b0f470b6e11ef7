import { expect, test } from 'vitest';
import { createWriteGate } from './write-gate.ts';

test('writes begin in order, and are refused at once when nothing ends and many wait', async () => {
  let now = 0;
  const gate = createWriteGate({
    ...{ most: 2, waitMs: 60_000, nowMs: () => now },
    limits: { stalledMs: 2_000, stalledMax: 1 },
  });
  expect([gate.enter(), gate.enter()]).toEqual([undefined, undefined]);
  const order: number[] = [];
  const waiting = [1, 2].map((each) => gate.enter()?.then(() => order.push(each)));
  now = 2_000;
  await expect(gate.enter()).rejects.toMatchObject({ code: '53300' });
  gate.leave();
  const third = gate.enter()?.then(() => order.push(3));
  for (let count = 0; count < 2; count += 1) gate.leave();
  await Promise.all([...waiting, third]);
  expect(order).toEqual([1, 2, 3]);
  for (let count = 0; count < 2; count += 1) gate.leave();
  expect(gate.enter()).toBe(undefined);
});

test('a write that waits too long is refused, and takes no place', async () => {
  const gate = createWriteGate({ most: 1, waitMs: 5 });
  void gate.enter();
  await expect(gate.enter()).rejects.toMatchObject({ code: '53300' });
  gate.leave();
  expect(gate.enter()).toBe(undefined);
});

test('while the database was away nothing could end, so that nobody is refused for it', async () => {
  let now = 0;
  const gate = createWriteGate({
    most: 1,
    waitMs: 60_000,
    nowMs: () => now,
    limits: { stalledMs: 2_000, stalledMax: 0 },
  });
  void gate.enter();
  now = 10_000;
  gate.resume();
  now = 11_999;
  const waits = gate.enter();
  gate.leave();
  await waits;
  now = 14_000;
  await expect(gate.enter()).rejects.toMatchObject({ code: '53300' });
});
