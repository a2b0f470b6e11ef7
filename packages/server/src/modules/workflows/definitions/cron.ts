import { Cron } from 'croner';

export type Schedule = Cron;

/** The schedule in UTC, or a sentence that says what is wrong with it. */
export function parseCron(text: string): Schedule | string {
  const written = text.trim();
  const fields = written.split(/\s+/).filter(Boolean).length;
  if (!written.startsWith('@') && fields !== 5 && fields !== 6) {
    return `has ${fields} fields instead of 5, or 6 with seconds`;
  }
  try {
    return new Cron(written, { timezone: 'UTC', paused: true, sloppyRanges: true });
  } catch (error) {
    // croner throws these two for what it cannot read
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    // it counts days and months from 0, so its numbers would mislead
    return `is not a schedule: ${error.message.replace('CronPattern: ', '').replace(/: -?\d+$/, '')}`;
  }
}

/** The first tick after a moment; undefined if there is none, as on a 30th of February. */
export function nextTick(schedule: Schedule, after: Date): Date | undefined {
  return schedule.nextRun(after) ?? undefined;
}

/** Ticks five minutes apart fill a day with 288, so more of them show every pair of neighbours. */
const ticksSeen = 300;
const dayMs = 86_400_000;

/** The shortest time between two ticks, in seconds; undefined with fewer than two ticks. Stops at one below `enough`. */
export function shortestGap(schedule: Schedule, enough = 0): number | undefined {
  let shortest: number | undefined;
  let from = nextTick(schedule, new Date(Date.UTC(2026, 0, 1) - 1000));
  const start = from?.getTime() ?? 0;
  for (let seen = 0; from && seen < ticksSeen; seen += 1) {
    const next = nextTick(schedule, from);
    if (!next) break;
    const gap = (next.getTime() - from.getTime()) / 1000;
    if (shortest === undefined || gap < shortest) shortest = gap;
    if (shortest < enough || next.getTime() - start > 2 * dayMs) break;
    from = next;
  }
  return shortest;
}
