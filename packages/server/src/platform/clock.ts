/** What time it is, for everything that stores or compares moments. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A clock that stands still until a test moves it. */
export interface TestClock extends Clock {
  advance(milliseconds: number): void;
  set(moment: Date): void;
}

export function createTestClock(start: Date = new Date('2026-01-15T09:00:00.000Z')): TestClock {
  let now = start.getTime();
  return {
    now: () => new Date(now),
    advance(milliseconds) {
      now += milliseconds;
    },
    set(moment) {
      now = moment.getTime();
    },
  };
}
