const DAY_MS = 86_400_000;

/**
 * Turns what the demo's files say about time and place into values, as a reviver of `JSON.parse`:
 * `{"$ago":"PT50M"}` and `{"$ahead":"PT5M"}` count from `now`; `{"$ago":"P3D","at":"09:30"}` is a time of that UTC day;
 * `{"$today":0.5}` is the middle of the part of the UTC day that has passed. `"as"` answers the day, the
 * month, or the milliseconds left of it, instead of the moment. `%PUBLIC_URL%` is where this server answers.
 */
export function demoReviver(now: Date, publicUrl: string): (key: string, value: unknown) => unknown {
  return (_key, value) => {
    if (typeof value === 'string') return value.replaceAll('%PUBLIC_URL%', publicUrl);
    return isMoment(value) ? momentAs(momentMs(value, now.getTime()), value.as) : value;
  };
}

interface Moment {
  readonly $ago?: string;
  readonly $ahead?: string;
  readonly $today?: number;
  readonly at?: string;
  readonly as?: 'date' | 'month' | 'msLeftInMonth';
}

function isMoment(value: unknown): value is Moment {
  return typeof value === 'object' && value !== null && ['$ago', '$ahead', '$today'].some((key) => key in value);
}

function momentMs({ $ago = 'PT0S', $ahead = 'PT0S', $today, at }: Moment, nowMs: number): number {
  const midnightMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
  if ($today !== undefined) return midnightMs + (nowMs - midnightMs) * $today;
  const fromMs = at === undefined ? nowMs : midnightMs + timeOfDayMs(at);
  return fromMs - durationMs($ago) + durationMs($ahead);
}

/** In UTC without milliseconds, which jq's `fromdate` cannot read. */
function momentAs(ms: number, as: Moment['as']): string | number {
  const text = new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z');
  if (as === 'date') return text.slice(0, 10);
  if (as === 'month') return text.slice(0, 7);
  const at = new Date(text);
  return as === undefined ? text : Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1) - at.getTime();
}

/** @throws SyntaxError for what is no ISO 8601 duration of days, hours, minutes and seconds */
function durationMs(text: string): number {
  const match = /^P(?=.*\d)(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(text);
  if (!match) throw new SyntaxError(`"${text}" is not a duration such as P3D or PT50M`);
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  return days * DAY_MS + ((hours * 60 + minutes) * 60 + seconds) * 1000;
}

function timeOfDayMs(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  return ((hours * 60 + minutes) * 60 + seconds) * 1000;
}
