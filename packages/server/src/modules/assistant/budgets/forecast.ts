import { toDay } from './budget.ts';

export interface Forecast {
  readonly expected: number;
  readonly low: number;
  readonly high: number;
}

export interface ForecastInput {
  /** In the period until now. */
  readonly used: number;
  readonly now: Date;
  /** When the period ends. */
  readonly reset: Date;
  /** By day, days without use may be absent. */
  readonly byDay: ReadonlyMap<string, number>;
  /** The first day that was counted. */
  readonly countedSince: string;
}

const dayMs = 86_400_000;
const forecastDays = 28;

/**
 * What will be used at the end of the period: what is used now, and for each day that is left the median of that weekday
 * in the last 28 days; of today, what is missing to it. `low` and `high` take the tenth and the ninetieth percentile
 * instead. A weekday that was never counted takes all counted days; without any there is no forecast. Pure.
 */
export function forecast({ used, now, reset, byDay, countedSince }: ForecastInput): Forecast | null {
  const known = knownDays(now, countedSince);
  if (known.length === 0) return null;
  const valuesOf = (days: readonly string[]) => days.map((day) => byDay.get(day) ?? 0).sort((a, b) => a - b);
  const all = valuesOf(known);
  const byWeekday = Array.from({ length: 7 }, (_, weekday) => {
    const values = valuesOf(known.filter((day) => weekdayOf(day) === weekday));
    return values.length > 0 ? values : all;
  });
  const usedToday = byDay.get(toDay(now)) ?? 0;
  const until = (share: number): number => {
    let sum = used + Math.max(0, percentile(byWeekday[now.getUTCDay()] as number[], share) - usedToday);
    for (let day = startOfDay(now) + dayMs; day < reset.getTime(); day += dayMs) {
      sum += percentile(byWeekday[new Date(day).getUTCDay()] as number[], share);
    }
    return sum;
  };
  return { expected: until(0.5), low: until(0.1), high: until(0.9) };
}

/** Of the 28 days before today, those that were not counted yet. */
export function daysWithoutData(now: Date, countedSince: string): number {
  return forecastDays - knownDays(now, countedSince).length;
}

/** The first day that a forecast looks at. */
export function firstForecastDay(now: Date): string {
  return toDay(new Date(startOfDay(now) - forecastDays * dayMs));
}

function knownDays(now: Date, countedSince: string): string[] {
  const days = Array.from({ length: forecastDays }, (_, index) =>
    toDay(new Date(startOfDay(now) - (index + 1) * dayMs)),
  );
  return days.filter((day) => day >= countedSince);
}

function startOfDay(now: Date): number {
  return Math.floor(now.getTime() / dayMs) * dayMs;
}

function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

/** Between the two nearest values, in proportion. */
function percentile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] as number;
  const above = sorted[Math.ceil(place)] as number;
  return below + (above - below) * (place - Math.floor(place));
}
