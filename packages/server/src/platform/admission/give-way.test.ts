import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createGiveWay, giveWayMsMax } from './give-way.ts';

/** Turns of the event loop and time, both moving when they are told. */
function virtualLoop() {
  let now = 0;
  const turns: (() => void)[] = [];
  const timers = new Set<{ readonly at: number; readonly action: () => void }>();
  return {
    nowMs: () => now,
    nextTurn: (action: () => void) => void turns.push(action),
    after(ms: number, action: () => void) {
      const timer = { at: now + ms, action };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    async turn(): Promise<void> {
      for (const action of turns.splice(0)) action();
      // what was let go on does so before the next turn
      await Promise.resolve();
    },
    advance(ms: number): void {
      now += ms;
      for (const timer of [...timers].filter(({ at }) => at <= now)) {
        timers.delete(timer);
        timer.action();
      }
    },
  };
}

test('one step goes on in each turn, in order, and none beside who is busy before its time', async () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.constant({ do: 'wait' as const, ms: 0 }) },
    { weight: 4, arbitrary: fc.constant({ do: 'turn' as const, ms: 0 }) },
    { weight: 2, arbitrary: fc.constant({ do: 'busy' as const, ms: 0 }) },
    { weight: 2, arbitrary: fc.constant({ do: 'calm' as const, ms: 0 }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('time' as const), ms: fc.integer({ min: 1, max: 4 }) }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const loop = virtualLoop();
      let isBusy = false;
      const way = createGiveWay(() => isBusy, loop, loop.nextTurn);
      const asked: { readonly atMs: number }[] = [];
      const gone: number[] = [];
      const look = async (): Promise<void> => {
        const before = gone.length;
        await loop.turn();
        expect(gone.length - before).toBeLessThanOrEqual(1);
        const latest = gone.length > before ? asked[gone.at(-1) as number] : undefined;
        if (latest && isBusy) expect(loop.nowMs() - latest.atMs).toBeGreaterThanOrEqual(giveWayMsMax);
      };
      for (const { do: what, ms } of steps) {
        if (what === 'wait') {
          const index = asked.push({ atMs: loop.nowMs() }) - 1;
          void way.wait().then(() => gone.push(index));
        } else if (what === 'turn') await look();
        else if (what === 'time') loop.advance(ms);
        else {
          isBusy = what === 'busy';
          if (!isBusy) way.wake();
        }
      }
      // whoever is busy may stay so: nobody waits for ever
      loop.advance(giveWayMsMax);
      for (let turn = 0; turn <= asked.length + 1; turn += 1) await look();
      expect(gone).toEqual(asked.map((_, index) => index));
    }),
  );
});

test('nobody is looked for again and again while others are busy', async () => {
  const loop = virtualLoop();
  let turns = 0;
  const way = createGiveWay(
    () => true,
    loop,
    (action) => {
      turns += 1;
      loop.nextTurn(action);
    },
  );
  void way.wait();
  for (let turn = 0; turn < 100; turn += 1) await loop.turn();
  expect(turns).toBe(1);
});
