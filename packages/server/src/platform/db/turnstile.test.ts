import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { WorkClass } from '../admission/work-class.ts';
import { createTurnstile } from './turnstile.ts';

const all: readonly WorkClass[] = ['control', 'interactive', 'events', 'streams', 'bulk', 'background'];

/** Lets everybody ask while somebody is inside, then lets one after another in; answers the order. */
async function recordOrder(arrivals: readonly WorkClass[]): Promise<string[]> {
  const turnstile = createTurnstile();
  const leave = await turnstile.enter('interactive');
  const order: string[] = [];
  const done = arrivals.map(async (workClass, index) => {
    const leaveAgain = await turnstile.enter(workClass);
    order.push(`${workClass} ${index}`);
    leaveAgain();
    leaveAgain();
  });
  leave();
  await Promise.all(done);
  return order;
}

test('everybody gets in once, in the order of arrival within a class', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...all), { maxLength: 60 }), async (arrivals) => {
      const order = await recordOrder(arrivals);
      expect([...order].sort()).toEqual(arrivals.map((workClass, index) => `${workClass} ${index}`).sort());
      for (const workClass of all) {
        const places = order
          .filter((each) => each.startsWith(`${workClass} `))
          .map((each) => Number(each.split(' ')[1]));
        expect(places).toEqual([...places].sort((a, b) => a - b));
      }
    }),
  );
});

test('control goes first, and a flood in the background takes one turn of many', async () => {
  const flood = Array.from({ length: 50 }, (): WorkClass => 'background');
  const people = Array.from({ length: 16 }, (): WorkClass => 'interactive');
  const order = await recordOrder([...flood, ...people, 'control']);
  expect(order[0]).toBe('control 66');
  const last = order.indexOf('interactive 65');
  expect(order.slice(0, last).filter((each) => each.startsWith('background')).length).toBeLessThanOrEqual(3);
  expect(order.slice(0, last).filter((each) => each.startsWith('background')).length).toBeGreaterThanOrEqual(1);
});

test('a class that was away has no claim on the turns it did not take', async () => {
  const turnstile = createTurnstile();
  for (let turn = 0; turn < 100; turn += 1) {
    const leave = await turnstile.enter('interactive');
    const waiting = turnstile.enter('interactive');
    leave();
    (await waiting)();
  }
  const order: string[] = [];
  const leave = await turnstile.enter('interactive');
  const done = ['background', 'background', 'background', 'interactive', 'interactive'].map(async (workClass) => {
    const leaveAgain = await turnstile.enter(workClass as WorkClass);
    order.push(workClass);
    leaveAgain();
  });
  leave();
  await Promise.all(done);
  expect(order.slice(0, 3).filter((each) => each === 'background').length).toBeLessThanOrEqual(1);
});
