/** When a schedule ticks, in UTC: five fields, or six with seconds first. */
export interface Cron {
  readonly seconds: readonly number[];
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  /** 0 is Sunday. */
  readonly weekdays: ReadonlySet<number>;
  /** A day of the month or of the week that is not `*`; if both are, either of them is enough. */
  readonly isDayNamed: boolean;
  readonly isWeekdayNamed: boolean;
}

const shorthands: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

interface Range {
  readonly what: string;
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const ranges = {
  second: { what: 'second', min: 0, max: 59 },
  minute: { what: 'minute', min: 0, max: 59 },
  hour: { what: 'hour', min: 0, max: 23 },
  day: { what: 'day of the month', min: 1, max: 31 },
  month: { what: 'month', min: 1, max: 12, names: monthNames },
  // 7 is Sunday too
  weekday: { what: 'day of the week', min: 0, max: 7, names: weekdayNames },
} as const satisfies Record<string, Range>;

/** The schedule, or a sentence that says what is wrong with it. */
export function parseCron(text: string): Cron | string {
  const written = text.trim().toLowerCase();
  const expression = shorthands[written] ?? written;
  if (expression.startsWith('@')) return `"${text}" is not one of ${Object.keys(shorthands).join(', ')}`;
  const fields = expression.split(/\s+/).filter(Boolean);
  if (fields.length !== 5 && fields.length !== 6) return `has ${fields.length} fields instead of 5, or 6 with seconds`;
  const [second, minute, hour, day, month, weekday] = (fields.length === 6 ? fields : ['0', ...fields]) as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const problems: string[] = [];
  const read = (field: string, range: Range): number[] => {
    const values = parseField(field, range);
    if (typeof values !== 'string') return values;
    problems.push(values);
    return [];
  };
  const cron: Cron = {
    seconds: read(second, ranges.second),
    minutes: read(minute, ranges.minute),
    hours: read(hour, ranges.hour),
    days: new Set(read(day, ranges.day)),
    months: new Set(read(month, ranges.month)),
    weekdays: new Set(read(weekday, ranges.weekday).map((each) => each % 7)),
    isDayNamed: !isEvery(day),
    isWeekdayNamed: !isEvery(weekday),
  };
  return problems[0] ?? cron;
}

function isEvery(field: string): boolean {
  return field === '*' || field === '?';
}

function parseField(field: string, range: Range): number[] | string {
  const found = new Set<number>();
  for (const part of field.split(',')) {
    const [span = '', step, ...rest] = part.split('/');
    const every = step === undefined ? 1 : whole(step);
    if (rest.length > 0 || every === undefined || every < 1) return wrong(part, range);
    const bounds = parseSpan(span, range, step !== undefined);
    if (!bounds) return wrong(part, range);
    for (let at = bounds[0]; at <= bounds[1]; at += every) found.add(at);
  }
  return [...found].sort((one, other) => one - other);
}

function parseSpan(span: string, range: Range, isStepped: boolean): readonly [number, number] | undefined {
  if (isEvery(span)) return [range.min, range.max === 7 ? 6 : range.max];
  const [first = '', last, ...rest] = span.split('-');
  const from = toNumber(first, range);
  // "5/15" means from 5 on
  const to = last === undefined ? (isStepped ? range.max : from) : toNumber(last, range);
  if (rest.length > 0 || from === undefined || to === undefined) return undefined;
  if (to >= from) return [from, to];
  // "fri-sun" ends with the week
  return range.what === ranges.weekday.what && to === 0 ? [from, 7] : undefined;
}

function toNumber(text: string, { min, max, names }: Range): number | undefined {
  const named = names?.indexOf(text.slice(0, 3)) ?? -1;
  if (named >= 0 && /^[a-z]{3,}$/.test(text)) return named + (names === monthNames ? 1 : 0);
  const number = whole(text);
  return number !== undefined && number >= min && number <= max ? number : undefined;
}

function whole(text: string): number | undefined {
  return /^\d{1,4}$/.test(text) ? Number(text) : undefined;
}

function wrong(part: string, { what, min, max }: Range): string {
  return `"${part}" is no ${what}; it takes ${min} to ${max}, as in 1,2 or 1-5 or */10`;
}

const dayMs = 86_400_000;
/** A 29th of February is at most eight years away. */
const daysMax = 366 * 8 + 2;

/** The first tick after a moment; undefined if there is none, as on a 30th of February. */
export function nextTick(cron: Cron, after: Date): Date | undefined {
  const from = Math.floor(after.getTime() / 1000) * 1000 + 1000;
  const today = Math.floor(from / dayMs) * dayMs;
  for (let day = 0; day <= daysMax; day += 1) {
    const midnight = today + day * dayMs;
    if (!isOnDay(cron, new Date(midnight))) continue;
    const tick = firstOfDay(cron, day === 0 ? (from - today) / 1000 : 0);
    if (tick !== undefined) return new Date(midnight + tick * 1000);
  }
  return undefined;
}

function isOnDay(cron: Cron, date: Date): boolean {
  if (!cron.months.has(date.getUTCMonth() + 1)) return false;
  const isDay = cron.days.has(date.getUTCDate());
  const isWeekday = cron.weekdays.has(date.getUTCDay());
  return cron.isDayNamed && cron.isWeekdayNamed ? isDay || isWeekday : isDay && isWeekday;
}

/** The first tick of a day from this second of it on. */
function firstOfDay({ hours, minutes, seconds }: Cron, from: number): number | undefined {
  for (const hour of hours) {
    if ((hour + 1) * 3600 <= from) continue;
    for (const minute of minutes) {
      const start = hour * 3600 + minute * 60;
      if (start + 60 <= from) continue;
      const second = seconds.find((each) => start + each >= from);
      if (second !== undefined) return start + second;
    }
  }
  return undefined;
}

/** The shortest time between two ticks, in seconds; undefined with fewer than two ticks. */
export function shortestGap(cron: Cron): number | undefined {
  const ticks: number[] = [];
  for (const hour of cron.hours)
    for (const minute of cron.minutes)
      for (const second of cron.seconds) ticks.push(hour * 3600 + minute * 60 + second);
  const [first] = ticks;
  if (first === undefined) return undefined;
  // over midnight too, where the next day has ticks; a day apart is never too short
  const gaps = ticks.map((tick, at) => (ticks[at + 1] ?? first + 86_400) - tick);
  return Math.min(...gaps);
}
