import type { TimeInterval, TimeRange } from '@portolan/contract/analytics';
import { describe, expect, test } from 'vitest';
import { timeBuckets } from './time-buckets.ts';

const cut = (preset: TimeRange['preset'], interval: TimeInterval, now: string, timeZone?: string) => {
  const { from, to, starts } = timeBuckets({ preset, timeZone }, interval, new Date(now));
  return { from: from.toISOString(), to: to.toISOString(), starts: starts.map((start) => start.toISOString()) };
};

describe('a range in buckets', () => {
  test('begins where its first bucket begins, also before the range does', () => {
    expect(cut('lastWeek', 'isoWeek', '2026-01-15T09:00:00Z')).toEqual({
      from: '2026-01-08T09:00:00.000Z',
      to: '2026-01-15T09:00:00.000Z',
      starts: ['2026-01-05T00:00:00.000Z', '2026-01-12T00:00:00.000Z'],
    });
    expect(cut('lastMonth', 'month', '2026-03-01T00:00:00Z').starts).toEqual([
      '2026-01-01T00:00:00.000Z',
      '2026-02-01T00:00:00.000Z',
      '2026-03-01T00:00:00.000Z',
    ]);
    expect(cut('last2Years', 'quarter', '2026-01-15T09:00:00Z').starts).toHaveLength(9);
    expect(cut('lastDay', 'hour', '2026-01-15T09:30:00Z').starts).toHaveLength(25);
  });

  test('takes calendar days and their beginnings from the time zone', () => {
    expect(cut('today', 'day', '2026-01-15T03:00:00Z', 'America/New_York')).toEqual({
      from: '2026-01-14T05:00:00.000Z',
      to: '2026-01-15T04:59:59.999Z',
      starts: ['2026-01-14T05:00:00.000Z'],
    });
    expect(cut('yesterday', 'hour', '2026-01-15T03:00:00Z', 'Asia/Kathmandu').starts[0]).toBe(
      '2026-01-13T18:15:00.000Z',
    );
    expect(cut('lastDay', 'hour', '2026-01-15T03:00:00Z', 'Asia/Kathmandu').starts[0]).toBe('2026-01-14T02:15:00.000Z');
  });

  test('has days of 23 and 25 hours where clocks are changed, and every hour of them', () => {
    expect(cut('lastWeek', 'day', '2026-03-30T12:00:00Z', 'Europe/Berlin').starts.slice(-3)).toEqual([
      '2026-03-27T23:00:00.000Z',
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ]);
    expect(cut('yesterday', 'hour', '2026-03-30T12:00:00Z', 'Europe/Berlin').starts).toHaveLength(23);
    expect(cut('yesterday', 'hour', '2026-10-26T12:00:00Z', 'Europe/Berlin').starts).toHaveLength(25);
    expect(cut('last3Months', 'month', '2026-05-01T12:00:00Z', 'Europe/Berlin').starts).toEqual([
      '2025-12-31T23:00:00.000Z',
      '2026-01-31T23:00:00.000Z',
      '2026-02-28T23:00:00.000Z',
      '2026-03-31T22:00:00.000Z',
      '2026-04-30T22:00:00.000Z',
    ]);
  });

  test('begins a day without a midnight when its clocks jump over it', () => {
    // Beirut goes from 23:59 to 1:00 in the night to 29 March 2026
    expect(cut('lastDay', 'day', '2026-03-29T12:00:00Z', 'Asia/Beirut').starts).toEqual([
      '2026-03-27T22:00:00.000Z',
      '2026-03-28T22:00:00.000Z',
    ]);
  });
});
