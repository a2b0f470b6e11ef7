import { describe, expect, test } from 'vitest';
import { meetsTarget, readChange, readTrend, statSettings } from './stat-trend.ts';

const day = 86_400_000;
const result = (...values: (number | null)[]) => ({
  minDate: 0,
  maxDate: values.length * day,
  dates: values.map((_, index) => index * day),
  series: [{ values }],
  data: values,
});

describe('a trend', () => {
  test('of a level is what it was at the beginning and is now', () => {
    const trend = readTrend('level', result(5, 6, null, 4), 4);
    expect(trend).toMatchObject({ points: [5, 6, null, 4], previous: 5, current: 4 });
    expect(readChange(trend, 'down')).toEqual({ by: -1, share: -0.2, verdict: 'better' });
  });

  test('of a growth is counted back from the value now', () => {
    const trend = readTrend('growth', result(1, 0, 2), 10);
    expect(trend).toMatchObject({ points: [8, 8, 10], previous: 8, current: 10 });
    expect(readChange(trend, undefined)).toEqual({ by: 2, share: 0.25, verdict: undefined });
  });

  test('of a flow compares the last two periods that are over', () => {
    const trend = readTrend('flow', result(0, 4, 2, 3, 1), 10);
    expect(trend).toMatchObject({ points: [4, 2, 3], dates: [day, 2 * day, 3 * day], previous: 2, current: 3 });
    expect(readChange(trend, 'up')).toEqual({ by: 1, share: 0.5, verdict: 'better' });
  });

  test.each([
    ['level', result(null, null, 3), 3, 2 * day],
    ['growth', result(0, 0, 18), 18, 2 * day],
    ['flow', result(0, 0, 0, 3, 1), 4, 3 * day],
    ['flow', result(0, 0, 0, 0, 1), 1, 4 * day],
    ['flow', result(0, 0, 0), 0, undefined],
    ['growth', result(), 0, undefined],
  ] as const)('of a %s without history has no change, and says since when there is one', (kind, over, value, since) => {
    const trend = readTrend(kind, over, value);
    expect(readChange(trend, 'up')).toBeUndefined();
    expect(trend.since).toBe(since);
  });

  test('from nothing has no share, and no change has no verdict', () => {
    const trend = { points: [], dates: [], since: 0 };
    expect(readChange({ ...trend, previous: 0, current: 3 }, 'down')).toEqual({
      by: 3,
      share: undefined,
      verdict: 'worse',
    });
    expect(readChange({ ...trend, previous: 3, current: 3 }, 'up')).toEqual({ by: 0, share: 0, verdict: undefined });
  });
});

test('a target is met from the side that is good', () => {
  const settings = (goodWhen?: string) => statSettings({ portolan: { target: 24, goodWhen } });
  expect([20, 24, 30].map((value) => meetsTarget(value, settings('down')))).toEqual([true, true, false]);
  expect([20, 24, 30].map((value) => meetsTarget(value, settings('up')))).toEqual([false, true, true]);
  expect(meetsTarget(1, statSettings({}))).toBeUndefined();
});

test('settings of any shape are read', () => {
  const plain = { compares: false, period: 'month', target: undefined, goodWhen: undefined, hasSparkline: true };
  for (const portolan of [undefined, null, 7, [], { target: '24', goodWhen: 'sideways', period: 1 }])
    expect(statSettings({ portolan })).toEqual(plain);
  expect(statSettings({ func: 'average', averageOf: 'week', portolan: { compare: 'previous' } })).toMatchObject({
    compares: true,
    period: 'week',
  });
});
