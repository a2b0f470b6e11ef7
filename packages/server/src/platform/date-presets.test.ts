import type { DatePreset } from '@portolan/contract/search-values';
import { afterEach, describe, expect, test } from 'vitest';
import { presetRange } from './date-presets.ts';

const zone = process.env['TZ'];
afterEach(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

const spanned = (preset: DatePreset, now: string) => {
  const { from, to } = presetRange(preset, new Date(now));
  return [from.toISOString(), to.toISOString()];
};
const day = (date: string) => [`${date}T00:00:00.000Z`, `${date}T23:59:59.999Z`];

test.each<[DatePreset, string, string]>([
  ['yesterday', '2024-03-01T00:00:00Z', '2024-02-29'],
  ['yesterday', '2023-03-01T00:00:00Z', '2023-02-28'],
  ['yesterday', '2100-03-01T12:00:00Z', '2100-02-28'],
  ['yesterday', '2000-03-01T12:00:00Z', '2000-02-29'],
  ['yesterday', '2026-01-01T00:00:00Z', '2025-12-31'],
  ['tomorrow', '2025-12-31T23:59:59.999Z', '2026-01-01'],
  ['tomorrow', '2024-02-28T23:59:59.999Z', '2024-02-29'],
  ['tomorrow', '2024-02-29T00:00:00Z', '2024-03-01'],
  ['tomorrow', '2026-04-30T12:00:00Z', '2026-05-01'],
  ['today', '2026-03-29T01:30:00Z', '2026-03-29'],
  ['today', '2026-01-01T00:00:00.000Z', '2026-01-01'],
  ['today', '2025-12-31T23:59:59.999Z', '2025-12-31'],
])('%s at %s is %s', (preset, now, date) => {
  expect(spanned(preset, now)).toEqual(day(date));
});

test.each<[DatePreset, string, string]>([
  ['lastMonth', '2026-03-30T10:00:00.000Z', '2026-02-28T10:00:00.000Z'],
  ['lastMonth', '2024-03-30T10:00:00.000Z', '2024-02-29T10:00:00.000Z'],
  ['last12Months', '2024-12-31T00:00:00.000Z', '2024-01-01T00:00:00.000Z'],
  ['last12Months', '2025-12-31T00:00:00.000Z', '2024-12-31T00:00:00.000Z'],
  ['last3Years', '2025-01-01T00:00:00.000Z', '2022-01-02T00:00:00.000Z'],
  ['nextMonth', '2026-01-31T23:59:59.999Z', '2026-03-02T23:59:59.999Z'],
  ['next12Months', '2024-02-29T00:00:00.000Z', '2025-02-28T00:00:00.000Z'],
])('%s from %s reaches to %s: so many days, whatever the months', (preset, now, other) => {
  expect(spanned(preset, now)).toEqual([now, other].sort());
});

describe.each(['Pacific/Auckland', 'America/New_York', 'Europe/Berlin', 'Asia/Kathmandu'])('a server in %s', (name) => {
  test.each<[DatePreset, string]>([
    // around the days on which clocks are put forward and back
    ['today', '2026-03-29T00:30:00Z'],
    ['tomorrow', '2026-03-28T23:30:00Z'],
    ['yesterday', '2026-10-25T12:30:00Z'],
    ['lastDay', '2026-03-08T12:00:00Z'],
    ['lastMonth', '2026-11-01T12:00:00Z'],
    ['next6Months', '2026-04-05T12:00:00Z'],
  ])('%s at %s means the same as elsewhere', (preset, now) => {
    process.env['TZ'] = 'UTC';
    const elsewhere = spanned(preset, now);
    process.env['TZ'] = name;
    expect(new Date(now).getTimezoneOffset()).not.toBe(0);
    expect(spanned(preset, now)).toEqual(elsewhere);
  });
});
