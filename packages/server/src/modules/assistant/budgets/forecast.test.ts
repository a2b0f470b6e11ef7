import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findReset, toDay } from './budget.ts';
import { daysWithoutData, firstForecastDay, forecast } from './forecast.ts';

const dayMs = 86_400_000;
// a Friday
const now = new Date('2026-11-27T12:00:00Z');
const reset = findReset('month', now);

/** The 28 days before, with a use of each. */
function past(useOf: (date: Date, index: number) => number): Map<string, number> {
  return new Map(
    Array.from({ length: 28 }, (_, index) => {
      const date = new Date(now.getTime() - (index + 1) * dayMs);
      return [toDay(date), useOf(date, index)];
    }),
  );
}

test('each day that is left adds the median of its weekday, today what is missing to it', () => {
  const byDay = past((date) => (date.getUTCDay() % 6 === 0 ? 2 : 50));
  byDay.set(toDay(now), 20);
  const input = { used: 1_000, now, reset, byDay, countedSince: '2026-01-01' };
  // Friday lacks 30; Saturday and Sunday add 2 each, Monday 50
  expect(forecast(input)).toEqual({ expected: 1_084, low: 1_084, high: 1_084 });
  byDay.set(toDay(now), 70);
  expect(forecast(input)?.expected).toBe(1_054);
});

test('low and high are the tenth and the ninetieth percentile of the same days', () => {
  const fridays = new Map([
    ['2026-11-20', 10],
    ['2026-11-13', 20],
    ['2026-11-06', 30],
    ['2026-10-30', 40],
  ]);
  const input = { used: 0, now, reset: findReset('day', now), byDay: fridays, countedSince: '2026-01-01' };
  const { expected, low, high } = forecast(input) ?? { expected: 0, low: 0, high: 0 };
  expect([expected, low, high].map((value) => Math.round(value * 10) / 10)).toEqual([25, 13, 37]);
});

describe('days that were not counted', () => {
  test('are no days without use, and are told', () => {
    const byDay = new Map([
      ['2026-11-26', 8],
      ['2026-11-25', 8],
    ]);
    const input = { used: 0, now, reset: new Date('2026-11-29T00:00:00Z'), byDay, countedSince: '2026-11-25' };
    // neither a Friday nor a Saturday is known: both take what is
    expect(forecast(input)?.expected).toBe(16);
    expect(daysWithoutData(now, '2026-11-25')).toBe(26);
    expect(daysWithoutData(now, '2026-01-01')).toBe(0);
    expect(forecast({ ...input, countedSince: '2026-01-01' })?.expected).toBe(0);
  });

  test('leave no forecast if there are no others', () => {
    const input = { used: 3, now, reset, byDay: new Map(), countedSince: '2026-11-27' };
    expect(forecast(input)).toBeNull();
    expect(daysWithoutData(now, '2026-11-27')).toBe(28);
  });
});

test('looks at four of each weekday, and not at today', () => {
  expect(firstForecastDay(now)).toBe('2026-10-30');
  const byDay = new Map([[toDay(now), 9]]);
  expect(forecast({ used: 9, now, reset, byDay, countedSince: '2026-01-01' })?.expected).toBe(9);
});

test('a forecast is never below what is used, lies between low and high, and grows with what was used', () => {
  const uses = fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: 28, maxLength: 28 });
  const moment = fc.date({
    min: new Date('2026-01-01T00:00:00Z'),
    max: new Date('2027-12-31T00:00:00Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(
      uses,
      moment,
      fc.nat(5_000),
      fc.constantFrom('day' as const, 'month' as const),
      (values, at, used, period) => {
        const days = (more: number) =>
          new Map(values.map((value, index) => [toDay(new Date(at.getTime() - (index + 1) * dayMs)), value + more]));
        const input = { used, now: at, reset: findReset(period, at), countedSince: '2025-01-01' };
        const { low, expected, high } = forecast({ ...input, byDay: days(0) }) ?? { low: -1, expected: -1, high: -1 };
        expect(low).toBeGreaterThanOrEqual(used);
        expect(low).toBeLessThanOrEqual(expected);
        expect(expected).toBeLessThanOrEqual(high);
        const left = Math.ceil((findReset(period, at).getTime() - at.getTime()) / dayMs);
        expect(high).toBeLessThanOrEqual(used + left * Math.max(...values));
        expect(forecast({ ...input, byDay: days(7) })?.expected).toBeCloseTo(expected + 7 * left, 6);
      },
    ),
  );
});
