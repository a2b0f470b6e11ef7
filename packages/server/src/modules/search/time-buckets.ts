import type { TimeInterval, TimeRange } from '@portolan/contract/analytics';
import { presetRange } from '../../platform/date-presets.ts';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

/** A range of time split at the start of hours, days, weeks, months or quarters. */
export interface TimeBuckets {
  /** Both within the range. */
  readonly from: Date;
  readonly to: Date;
  /** Oldest first; the first may start before `from`. */
  readonly starts: readonly Date[];
}

/**
 * Splits the range of a preset into buckets. Time zones are resolved here, not in SQL, so that both engines accept the
 * same names.
 */
export function timeBuckets({ preset, timeZone = 'UTC' }: TimeRange, interval: TimeInterval, now: Date): TimeBuckets {
  const zone = createZone(timeZone);
  const { from, to } = resolveRange(preset, zone, now);
  const starts = interval === 'hour' ? listHours(from, to, zone) : listDates(from, to, interval, zone);
  return { from, to, starts };
}

function resolveRange(preset: TimeRange['preset'], zone: Zone, now: Date): { from: Date; to: Date } {
  if (preset !== 'today' && preset !== 'yesterday') return presetRange(preset, now);
  const today = startOfDay(zone.local(now));
  const first = preset === 'today' ? today : today - dayMs;
  return { from: zone.instant(first), to: new Date(zone.instant(first + dayMs).getTime() - 1) };
}

/** Real hours: daylight saving neither drops nor stretches one. */
function listHours(from: Date, to: Date, zone: Zone): Date[] {
  const first = from.getTime() - modulo(zone.local(from), hourMs);
  const count = Math.floor((to.getTime() - first) / hourMs) + 1;
  return Array.from({ length: count }, (_, index) => new Date(first + index * hourMs));
}

function listDates(from: Date, to: Date, interval: Exclude<TimeInterval, 'hour'>, zone: Zone): Date[] {
  const starts: Date[] = [];
  for (let local = beginning(zone.local(from), interval); ; local = following(local, interval)) {
    const start = zone.instant(local);
    if (start > to) return starts;
    starts.push(start);
  }
}

/** Start of the interval that contains a local time. */
function beginning(local: number, interval: Exclude<TimeInterval, 'hour'>): number {
  const date = new Date(startOfDay(local));
  if (interval === 'day') return date.getTime();
  if (interval === 'isoWeek') return date.getTime() - modulo(date.getUTCDay() - 1, 7) * dayMs;
  const month = date.getUTCMonth();
  return Date.UTC(date.getUTCFullYear(), interval === 'month' ? month : month - (month % 3), 1);
}

function following(local: number, interval: Exclude<TimeInterval, 'hour'>): number {
  if (interval === 'day') return local + dayMs;
  if (interval === 'isoWeek') return local + 7 * dayMs;
  const date = new Date(local);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + (interval === 'month' ? 1 : 3), 1);
}

function startOfDay(local: number): number {
  return local - modulo(local, dayMs);
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}

/** Local times are wall-clock figures, encoded as the same figures in UTC milliseconds. */
interface Zone {
  local(at: Date): number;
  /** The instant of a local time: the first if it occurs twice, the moment of the jump if it is skipped. */
  instant(local: number): Date;
}

function createZone(timeZone: string): Zone {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const local = (at: Date): number => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) + modulo(at.getTime(), 1000);
  };
  const offsetAt = (utc: number) => local(new Date(utc)) - utc;
  return {
    local,
    instant(wanted) {
      const before = offsetAt(wanted - dayMs);
      const after = offsetAt(wanted + dayMs);
      const fits = [wanted - before, wanted - after].filter((utc) => utc + offsetAt(utc) === wanted);
      return new Date(fits.length > 0 ? Math.min(...fits) : wanted - before);
    },
  };
}
