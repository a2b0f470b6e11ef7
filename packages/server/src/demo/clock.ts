const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Moments counted back (or ahead) from one `now`, as ISO texts in UTC without milliseconds (jq's `fromdate` needs that). */
export type DemoClock = {
  /** A share (0 to 1) of the UTC day that has already passed, so the moment is today and never in the future. */
  today(share: number): string;
  /** A time of day (`HH:MM`) on the UTC calendar day `days` (1 or more) before today. */
  daysAgo(days: number, time: string): string;
  minutesAgo(minutes: number): string;
  inMinutes(minutes: number): string;
};

export function demoClock(now: Date): DemoClock {
  const nowMs = now.getTime();
  const midnightMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
  return {
    today: (share) => isoText(midnightMs + (nowMs - midnightMs) * share),
    daysAgo: (days, time) => isoText(midnightMs - days * DAY_MS + timeOfDayMs(time)),
    minutesAgo: (minutes) => isoText(nowMs - minutes * MINUTE_MS),
    inMinutes: (minutes) => isoText(nowMs + minutes * MINUTE_MS),
  };
}

/** `text` moved by some minutes. */
export function later(text: string, minutes: number): string {
  return isoText(Date.parse(text) + minutes * MINUTE_MS);
}

function isoText(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z');
}

function timeOfDayMs(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return (hours * 60 + minutes) * MINUTE_MS;
}
