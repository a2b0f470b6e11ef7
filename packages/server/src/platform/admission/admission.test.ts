import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../errors.ts';
import { type AdmissionLimits, createAdmission, type Leave, lookMs } from './admission.ts';
import type { AdmissionClock } from './give-way.ts';

const limits: AdmissionLimits = {
  places: 6,
  bulkAndBackground: 3,
  backgroundLeast: 1,
  shares: {
    interactive: { most: 5, waitingMax: 8, waitMs: 2_000, weight: 8 },
    streams: { most: 2, waitingMax: 4, waitMs: 2_000, weight: 4 },
    events: { most: 2, waitingMax: 6, waitMs: 9_000, weight: 4 },
    bulk: { most: 2, waitingMax: 4, waitMs: 10_000, weight: 2 },
  },
  heldMax: 10,
  heldMs: 25_000,
};

/** Time that moves when it is told. */
function virtualClock(): AdmissionClock & { advance(ms: number): void } {
  let now = 0;
  const due = new Set<{ readonly at: number; readonly action: () => void }>();
  return {
    nowMs: () => now,
    after(ms, action) {
      const timer = { at: now + ms, action };
      due.add(timer);
      return () => void due.delete(timer);
    },
    advance(ms) {
      const end = now + ms;
      for (;;) {
        const [next] = [...due].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (!next) break;
        due.delete(next);
        now = next.at;
        next.action();
      }
      now = end;
    },
  };
}

type WaitingClass = keyof AdmissionLimits['shares'];
interface Case {
  readonly workClass: WaitingClass;
  readonly line: string;
  readonly askedMs: number;
  state: 'waiting' | 'under way' | 'left' | 'refused' | 'gone';
  answers: number;
  endedMs: number;
  refusal?: AppError;
  leave?: Leave;
  giveUp?: () => void;
}

const classes: readonly WaitingClass[] = ['interactive', 'events', 'streams', 'bulk'];
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('ask' as const),
      workClass: fc.constantFrom(...classes),
      line: fc.constantFrom('a', 'b', 'c'),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('leave' as const), which: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('go' as const), which: fc.nat(20) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 3_000 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('hold' as const), isHeld: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('job' as const) }) },
);

test('whatever comes in whatever order: limits hold, order holds, nobody is forgotten, everybody is answered in time', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 150 }), (steps) => {
      const clock = virtualClock();
      const admission = createAdmission(limits, clock);
      const all: Case[] = [];
      const jobs: Leave[] = [];
      let isHeld = false;
      let resumedMs = Number.NEGATIVE_INFINITY;

      const check = (): void => {
        const count = (workClass: WaitingClass, state: Case['state']): number =>
          all.filter((each) => each.workClass === workClass && each.state === state).length;
        const under = classes.map((workClass) => count(workClass, 'under way'));
        expect(under.reduce((sum, each) => sum + each, 0) + jobs.length).toBeLessThanOrEqual(limits.places);
        for (const workClass of classes) {
          expect(count(workClass, 'under way')).toBeLessThanOrEqual(limits.shares[workClass].most);
          const most = isHeld ? limits.heldMax : Math.max(limits.shares[workClass].waitingMax, limits.heldMax);
          expect(count(workClass, 'waiting')).toBeLessThanOrEqual(most);
          expect(admission.figures().waiting[workClass]).toBe(count(workClass, 'waiting'));
          expect(admission.figures().underWay[workClass]).toBe(count(workClass, 'under way'));
          // no lost wake-up: nobody waits while there is a place for them
          const isFree =
            under.reduce((sum, each) => sum + each, 0) + jobs.length < limits.places &&
            count(workClass, 'under way') < limits.shares[workClass].most &&
            (workClass !== 'bulk' || count('bulk', 'under way') + jobs.length < limits.bulkAndBackground);
          if (isFree && !isHeld) expect(count(workClass, 'waiting')).toBe(0);
        }
        expect(count('bulk', 'under way') + jobs.length).toBeLessThanOrEqual(limits.bulkAndBackground);
        for (const each of all) {
          expect(each.answers).toBeLessThanOrEqual(1);
          if (each.state !== 'waiting') continue;
          const patience = isHeld ? limits.heldMs : limits.shares[each.workClass].waitMs;
          const from = isHeld ? each.askedMs : Math.max(each.askedMs, resumedMs);
          expect(clock.nowMs() - from).toBeLessThanOrEqual(patience + lookMs);
        }
      };
      /** Who began later than somebody who had asked earlier in the same line and class, and is still waiting. */
      const expectOrder = (): void => {
        for (const began of all.filter((each) => each.state === 'under way')) {
          const overtaken = all.filter(
            (each) =>
              each.state === 'waiting' &&
              each.line === began.line &&
              each.workClass === began.workClass &&
              all.indexOf(each) < all.indexOf(began),
          );
          expect(overtaken).toEqual([]);
        }
      };

      for (const each of steps) {
        if (each.do === 'ask') {
          const asked: Case = { ...each, askedMs: clock.nowMs(), state: 'waiting', answers: 0, endedMs: 0 };
          all.push(asked);
          asked.giveUp = admission.ask(asked, (outcome) => {
            asked.answers += 1;
            asked.endedMs = clock.nowMs();
            if (outcome instanceof AppError) {
              asked.state = 'refused';
              asked.refusal = outcome;
            } else {
              asked.state = 'under way';
              asked.leave = outcome;
            }
          });
        } else if (each.do === 'leave') {
          const under = all.filter(({ state }) => state === 'under way');
          const one = under[each.which % Math.max(1, under.length)];
          if (one) {
            one.state = 'left';
            one.leave?.();
            one.leave?.();
          } else jobs.pop()?.();
        } else if (each.do === 'go') {
          const waiting = all.filter(({ state }) => state === 'waiting');
          const one = waiting[each.which % Math.max(1, waiting.length)];
          if (one) {
            one.state = 'gone';
            one.giveUp?.();
          }
        } else if (each.do === 'wait') clock.advance(each.ms);
        else if (each.do === 'hold') {
          if (isHeld && !each.isHeld) resumedMs = clock.nowMs();
          isHeld = each.isHeld;
          admission.hold(each.isHeld);
        } else if (admission.roomForJobs() > 0) jobs.push(admission.takeForJob());
        check();
        expectOrder();
      }

      // everybody who is left is served or refused, and a refusal says which of the two it is
      admission.hold(false);
      clock.advance(limits.heldMs);
      for (const leave of jobs.splice(0)) leave();
      for (
        let one = all.find(({ state }) => state === 'under way');
        one;
        one = all.find(({ state }) => state === 'under way')
      ) {
        one.state = 'left';
        one.leave?.();
      }
      clock.advance(limits.heldMs);
      expect(all.filter(({ state }) => state === 'waiting')).toEqual([]);
      for (const { state, answers, refusal } of all) {
        expect(answers).toBe(state === 'gone' ? 0 : 1);
        if (refusal) expect(['too_many_requests', 'service_unavailable']).toContain(refusal.code);
      }
      expect(admission.figures()).toEqual({
        underWay: { interactive: 0, events: 0, bulk: 0, streams: 0, background: 0 },
        waiting: { interactive: 0, events: 0, bulk: 0, streams: 0 },
      });
    }),
    { numRuns: 400 },
  );
});

/** Fills the class, then asks as often as is told, and answers who began in which order as places are given back. */
function serve(admission: ReturnType<typeof createAdmission>, asked: readonly (readonly [WaitingClass, string])[]) {
  const order: string[] = [];
  const refused: string[] = [];
  const leaves: Leave[] = [];
  for (const [index, [workClass, line]] of asked.entries()) {
    admission.ask({ workClass, line }, (outcome) => {
      if (outcome instanceof AppError) refused.push(`${line} ${index}`);
      else {
        order.push(`${line} ${index}`);
        leaves.push(outcome);
      }
    });
  }
  for (let leave = leaves.shift(); leave; leave = leaves.shift()) leave();
  return { order, refused };
}

test('a flood of one organization does not keep another waiting, and refuses itself', () => {
  const flood = Array.from({ length: 30 }, () => ['interactive', 'flood'] as const);
  const { order, refused } = serve(createAdmission(limits, virtualClock()), [
    ...flood,
    ['interactive', 'calm'],
    ['interactive', 'calm'],
  ]);
  expect(refused.every((each) => each.startsWith('flood'))).toBe(true);
  expect(order.indexOf('calm 30')).toBeLessThanOrEqual(limits.shares.interactive.most + 2);
  expect(order.indexOf('calm 31')).toBeLessThanOrEqual(limits.shares.interactive.most + 4);
});

test('large amounts never take the last places', () => {
  const admission = createAdmission(limits, virtualClock());
  const began: string[] = [];
  const ask = (workClass: WaitingClass): unknown =>
    admission.ask({ workClass, line: 'a' }, (outcome) => void (outcome instanceof AppError || began.push(workClass)));
  while (admission.roomForJobs() > 0) admission.takeForJob();
  for (let count = 0; count < 5; count += 1) ask('bulk');
  expect(began).toEqual([]);
  for (let count = 0; count < 3; count += 1) ask('interactive');
  expect(began).toEqual(['interactive', 'interactive', 'interactive']);
});

test('the later the event loop, the fewer large amounts are let in, and what people wait for all the same', () => {
  const clock = virtualClock();
  let lag = 100;
  const admission = createAdmission(limits, clock, () => lag);
  const began: string[] = [];
  for (const workClass of ['bulk', 'bulk', 'interactive', 'interactive'] as const) {
    admission.ask({ workClass, line: 'a' }, (outcome) => void (outcome instanceof AppError || began.push(workClass)));
  }
  expect(began).toEqual(['bulk', 'interactive', 'interactive']);
  lag = 0;
  clock.advance(lookMs);
  expect(began).toEqual(['bulk', 'interactive', 'interactive', 'bulk']);
});

test('jobs give way to large amounts that wait, and take what nobody wants', () => {
  const admission = createAdmission(limits, virtualClock());
  expect(admission.roomForJobs()).toBe(limits.bulkAndBackground);
  for (let count = 0; count < 5; count += 1) admission.ask({ workClass: 'bulk', line: 'a' }, () => undefined);
  expect(admission.roomForJobs()).toBe(limits.backgroundLeast);
});

test('while the database is away everybody is held, and then let in', () => {
  const clock = virtualClock();
  const admission = createAdmission(limits, clock);
  const outcomes: (Leave | AppError)[] = [];
  admission.hold(true);
  for (let count = 0; count < limits.heldMax + 3; count += 1) {
    admission.ask({ workClass: 'interactive', line: 'a' }, (outcome) => void outcomes.push(outcome));
  }
  expect(outcomes.map((each) => (each as AppError).code)).toEqual(Array(3).fill('service_unavailable'));
  clock.advance(limits.heldMs - 1_000);
  expect(outcomes).toHaveLength(3);
  admission.hold(false);
  expect(outcomes).toHaveLength(3 + limits.shares.interactive.most);
});

test('whoever is held too long is refused as what the installation cannot do', () => {
  const clock = virtualClock();
  const admission = createAdmission(limits, clock);
  const outcomes: (Leave | AppError)[] = [];
  admission.hold(true);
  admission.ask({ workClass: 'bulk', line: 'a' }, (outcome) => void outcomes.push(outcome));
  clock.advance(limits.heldMs + lookMs);
  expect(outcomes).toMatchObject([{ code: 'service_unavailable' }]);
});

test('closing refuses those who wait and those who come', () => {
  const admission = createAdmission({ ...limits, places: 0 }, virtualClock());
  const codes: unknown[] = [];
  const note = (outcome: Leave | AppError): void => void codes.push((outcome as AppError).code);
  admission.ask({ workClass: 'streams', line: 'a' }, note);
  admission.close();
  admission.ask({ workClass: 'streams', line: 'a' }, note);
  expect(codes).toEqual(['service_unavailable', 'service_unavailable']);
});

test('large amounts give way to who is under way or waits, and go on as soon as nobody does', async () => {
  const clock = virtualClock();
  const admission = createAdmission({ ...limits, places: 1 }, clock);
  const leaves: Leave[] = [];
  for (const line of ['a', 'b']) {
    admission.ask({ workClass: 'interactive', line }, (outcome) => void leaves.push(outcome as Leave));
  }
  let hasGone = false;
  const going = admission.giveWay().then(() => {
    hasGone = true;
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  await turn();
  leaves[0]?.();
  await turn();
  expect([leaves.length, hasGone]).toEqual([2, false]);
  leaves[1]?.();
  await going;
});
