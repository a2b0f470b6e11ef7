import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextTick, parseCron, type Schedule, shortestGap } from './cron.ts';

const parsed = (text: string): Schedule => {
  const cron = parseCron(text);
  if (typeof cron === 'string') throw new Error(cron);
  return cron;
};
const next = (text: string, after: string) => nextTick(parsed(text), new Date(after))?.toISOString();

test.each([
  ['*/5 * * * *', '2026-01-01T00:00:00Z', '2026-01-01T00:05:00.000Z'],
  ['0 0 * * *', '2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00.000Z'],
  ['@daily', '2026-03-29T00:00:00Z', '2026-03-30T00:00:00.000Z'],
  ['30 15 * * mon-fri', '2026-11-27T15:30:00Z', '2026-11-30T15:30:00.000Z'],
  ['0 9 * * 7', '2026-11-27T00:00:00Z', '2026-11-29T09:00:00.000Z'],
  ['0 9 * * fri-sun', '2026-11-28T09:00:00Z', '2026-11-29T09:00:00.000Z'],
  ['0 0 29 2 *', '2026-01-01T00:00:00Z', '2028-02-29T00:00:00.000Z'],
  // a day of the month or one of the week
  ['0 0 13 * 5', '2026-11-08T00:00:00Z', '2026-11-13T00:00:00.000Z'],
  ['0 0 1 * 5', '2026-11-13T00:00:00Z', '2026-11-20T00:00:00.000Z'],
  ['15 0 12 ? * *', '2026-11-27T12:00:14Z', '2026-11-27T12:00:15.000Z'],
  ['0 0 30 2 *', '2026-01-01T00:00:00Z', undefined],
  ['0 0 1 JAN *', '2026-01-01T00:00:00Z', '2027-01-01T00:00:00.000Z'],
  ['10/20 * * * *', '2026-01-01T00:10:00Z', '2026-01-01T00:30:00.000Z'],
])('%s after %s ticks at %s', (text, after, expected) => {
  expect(next(text, after)).toBe(expected);
});

test.each([
  ['* * * *', '4 fields'],
  ['* * * * * * *', '7 fields'],
  ['60 * * * *', 'Invalid value for minute'],
  ['0 24 * * *', 'Invalid value for hour'],
  ['0 0 0 * *', 'Invalid value for day'],
  ['0 0 * 13 *', 'Invalid value for month'],
  ['0 0 * * 8', 'dayOfWeek'],
  ['0 0 * * fun', 'fun'],
  ['5-1 * * * *', '5-1'],
  ['*/0 * * * *', 'illegal stepping'],
  ['1//2 * * * *', '1//2'],
  ['@often', '@often'],
  ['', '0 fields'],
])('%j is refused with what is wrong in it', (text, message) => {
  expect(parseCron(text)).toContain(message);
});

test.each([
  ['* * * * *', 60],
  ['*/5 * * * *', 300],
  ['*/7 * * * *', 240],
  ['0,3 * * * *', 180],
  ['0 0 * * *', 86_400],
  ['58 0,23 * * *', 3_600],
  ['0,58 0,23 * * *', 120],
  ['*/30 * * * * *', 30],
])('the shortest time between two ticks of %s is %s seconds', (text, seconds) => {
  expect(shortestGap(text)).toBe(seconds);
});

const field = (min: number, max: number) =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constant('*') },
    fc.integer({ min, max }).map(String),
    fc.uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength: 4 }).map((list) => list.join(',')),
    fc.tuple(fc.integer({ min, max }), fc.integer({ min, max })).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
    fc.integer({ min: 1, max: max - min + 1 }).map((step) => `*/${step}`),
  );
const expression = fc.tuple(field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 6));

/** Whether a value is in a field, read anew. */
function holds(text: string, value: number, min: number): boolean {
  return text.split(',').some((part) => {
    if (part === '*') return true;
    if (part.startsWith('*/')) return (value - min) % Number(part.slice(2)) === 0;
    const [from, to = from] = part.split('-').map(Number) as [number, number?];
    return value >= from && value <= to;
  });
}

test('the next tick is the first minute that every field allows, counted minute by minute', () => {
  fc.assert(
    fc.property(expression, fc.integer({ min: 0, max: 2_000_000 }), ([minute, hour, day, month, weekday], start) => {
      const after = new Date(Date.UTC(2026, 0, 1) + start * 60_000);
      const isOnDay = (date: Date) => {
        const inDay = holds(day, date.getUTCDate(), 1);
        const inWeek = holds(weekday, date.getUTCDay(), 0);
        return day === '*' || weekday === '*' ? inDay && inWeek : inDay || inWeek;
      };
      let expected: Date | undefined;
      // within forty days, which is enough to see every rule at work
      for (let at = 1; at <= 57_600 && !expected; at += 1) {
        const date = new Date(after.getTime() + at * 60_000);
        const isTick =
          holds(minute, date.getUTCMinutes(), 0) &&
          holds(hour, date.getUTCHours(), 0) &&
          holds(month, date.getUTCMonth() + 1, 1) &&
          isOnDay(date);
        if (isTick) expected = date;
      }
      const found = nextTick(parsed([minute, hour, day, month, weekday].join(' ')), after);
      if (expected) expect(found).toEqual(expected);
      else expect(found === undefined || found.getTime() > after.getTime() + 57_600 * 60_000).toBe(true);
    }),
    { numRuns: 25 },
  );
});

test('the shortest time between two ticks is the one counted over two days', () => {
  fc.assert(
    fc.property(field(0, 59), field(0, 23), (minute, hour) => {
      const ticks = Array.from({ length: 2 * 1_440 }, (_, at) => at).filter(
        (at) => holds(minute, at % 60, 0) && holds(hour, Math.floor(at / 60) % 24, 0),
      );
      const gaps = ticks.slice(1).map((tick, at) => (tick - (ticks[at] as number)) * 60);
      expect(shortestGap(`${minute} ${hour} * * *`)).toBe(Math.min(...gaps));
    }),
    { numRuns: 300 },
  );
});
