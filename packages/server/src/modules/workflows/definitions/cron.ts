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

const shorthandGaps: Readonly<Record<string, number>> = { '@hourly': 3_600 };
const daySeconds = 86_400;

/**
 * The shortest time between two ticks of a schedule that can be read, in seconds. It counts the times of one day: days
 * apart never are too short.
 */
export function shortestGap(text: string): number {
  const written = text.trim().toLowerCase();
  if (written.startsWith('@')) return shorthandGaps[written] ?? daySeconds;
  const fields = written.split(/\s+/);
  const [second, minute, hour] = fields.length === 6 ? fields : ['0', ...fields];
  const [hours, minutes, seconds] = [listValues(hour, 23), listValues(minute, 59), listValues(second, 59)];
  const ticks = hours.flatMap((h) => minutes.flatMap((m) => seconds.map((s) => h * 3_600 + m * 60 + s)));
  const first = ticks[0] ?? 0;
  return Math.min(...ticks.map((tick, at) => (ticks[at + 1] ?? first + daySeconds) - tick));
}

/** The values of a field of a time, in order. */
function listValues(field = '*', max: number): number[] {
  const values = field.split(',').flatMap((part) => {
    const [span = '', step] = part.split('/');
    const [from, to] = span.split('-').map(Number) as [number, number?];
    const isEvery = span === '' || span === '*' || span === '?';
    const first = isEvery ? 0 : from;
    const last = isEvery || (to === undefined && step !== undefined) ? max : (to ?? from);
    const every = step === undefined ? 1 : Number(step);
    return Array.from({ length: Math.floor((last - first) / every) + 1 }, (_, at) => first + at * every);
  });
  return [...new Set(values)].sort((one, other) => one - other);
}
