import {
  type BrokenDownTime,
  breakDown,
  daysFromEpoch,
  monthNames,
  toWeekday,
  toYearday,
  weekdayNames,
} from './calendar.ts';

interface Reader {
  readonly text: string;
  at: number;
  readonly time: BrokenDownTime;
  isAfternoon: boolean | undefined;
  century: number | undefined;
}

/**
 * C's `strptime` in the C locale. Fields that the format does not set stay 0 (year 1900); weekday and day of the year
 * are computed from a date, otherwise they keep jq's markers 8 and 367. Undefined if the text does not match.
 */
export function parseTime(text: string, format: string): BrokenDownTime | undefined {
  const time = { year: 1900, month: 0, day: 0, hours: 0, minutes: 0, seconds: 0, weekday: 8, yearday: 367 };
  const reader: Reader = { text, at: 0, time, isAfternoon: undefined, century: undefined };
  if (!readFormat(reader, format) || reader.at < text.length) return undefined;
  if (reader.isAfternoon !== undefined) time.hours = (time.hours % 12) + (reader.isAfternoon ? 12 : 0);
  if (reader.century !== undefined) time.year = reader.century * 100 + (((time.year % 100) + 100) % 100);
  if (time.day === 0 && time.month === 0 && time.yearday !== 367) {
    const date = breakDown(daysFromEpoch(time.year, 0, 1 + time.yearday) * 86_400);
    time.month = date.month;
    time.day = date.day;
  }
  if (time.day >= 1 && time.day <= 31) {
    time.weekday = toWeekday(time.year, time.month, time.day);
    time.yearday = toYearday(time.year, time.month, time.day);
  }
  return time;
}

function readFormat(reader: Reader, format: string): boolean {
  for (let at = 0; at < format.length; at++) {
    const char = format[at]!;
    if (/\s/.test(char)) skipBlanks(reader);
    else if (char !== '%') {
      if (reader.text[reader.at] !== char) return false;
      reader.at++;
    } else {
      at++;
      while ('EO-_0^#'.includes(format[at] ?? ' ')) at++;
      const read = conversions[format[at] ?? ''];
      if (read === undefined || !read(reader)) return false;
    }
  }
  return true;
}

function skipBlanks(reader: Reader): void {
  while (/\s/.test(reader.text[reader.at] ?? 'x')) reader.at++;
}

/** A number of at most `digits` digits within bounds, after optional blanks. */
function readNumber(reader: Reader, digits: number, min: number, max: number): number | undefined {
  skipBlanks(reader);
  const match = new RegExp(`^\\d{1,${digits}}`).exec(reader.text.slice(reader.at, reader.at + digits));
  if (match === null) return undefined;
  const value = Number(match[0]);
  if (value < min || value > max) return undefined;
  reader.at += match[0].length;
  return value;
}

type Conversion = (reader: Reader) => boolean;

function number(digits: number, min: number, max: number, store: (reader: Reader, value: number) => void): Conversion {
  return (reader) => {
    const value = readNumber(reader, digits, min, max);
    if (value === undefined) return false;
    store(reader, value);
    return true;
  };
}

/** A full or three-letter name, in any case. */
function name(names: readonly string[], store: (time: BrokenDownTime, index: number) => void): Conversion {
  return (reader) => {
    const rest = reader.text.slice(reader.at, reader.at + 10).toLowerCase();
    for (const [index, full] of names.entries()) {
      for (const form of [full.toLowerCase(), full.slice(0, 3).toLowerCase()]) {
        if (!rest.startsWith(form)) continue;
        reader.at += form.length;
        store(reader.time, index);
        return true;
      }
    }
    return false;
  };
}

const nested =
  (format: string): Conversion =>
  (reader) =>
    readFormat(reader, format);

const weekday = name(weekdayNames, (time, index) => {
  time.weekday = index;
});
const month = name(monthNames, (time, index) => {
  time.month = index;
});
const dayOfMonth = number(2, 1, 31, ({ time }, value) => {
  time.day = value;
});
const hour24 = number(2, 0, 23, ({ time }, value) => {
  time.hours = value;
});
const hour12 = number(2, 1, 12, ({ time }, value) => {
  time.hours = value % 12;
});

const conversions: Record<string, Conversion> = {
  a: weekday,
  A: weekday,
  b: month,
  B: month,
  h: month,
  c: nested('%a %b %e %H:%M:%S %Y'),
  C: number(2, 0, 99, (reader, value) => {
    reader.century = value;
  }),
  d: dayOfMonth,
  e: dayOfMonth,
  D: nested('%m/%d/%y'),
  F: nested('%Y-%m-%d'),
  H: hour24,
  k: hour24,
  I: hour12,
  l: hour12,
  j: number(3, 1, 366, ({ time }, value) => {
    time.yearday = value - 1;
  }),
  m: number(2, 1, 12, ({ time }, value) => {
    time.month = value - 1;
  }),
  M: number(2, 0, 59, ({ time }, value) => {
    time.minutes = value;
  }),
  n: (reader) => {
    skipBlanks(reader);
    return true;
  },
  p: (reader) => {
    const half = reader.text.slice(reader.at, reader.at + 2).toUpperCase();
    if (half !== 'AM' && half !== 'PM') return false;
    reader.isAfternoon = half === 'PM';
    reader.at += 2;
    return true;
  },
  r: nested('%I:%M:%S %p'),
  R: nested('%H:%M'),
  s: (reader) => {
    const match = /^-?\d{1,15}/.exec(reader.text.slice(reader.at, reader.at + 16));
    if (match === null) return false;
    reader.at += match[0].length;
    Object.assign(reader.time, breakDown(Number(match[0])));
    return true;
  },
  S: number(2, 0, 61, ({ time }, value) => {
    time.seconds = value;
  }),
  t: (reader) => {
    skipBlanks(reader);
    return true;
  },
  T: nested('%H:%M:%S'),
  x: nested('%m/%d/%y'),
  X: nested('%H:%M:%S'),
  u: number(1, 1, 7, ({ time }, value) => {
    time.weekday = value % 7;
  }),
  w: number(1, 0, 6, ({ time }, value) => {
    time.weekday = value;
  }),
  U: number(2, 0, 53, () => {}),
  V: number(2, 1, 53, () => {}),
  W: number(2, 0, 53, () => {}),
  G: number(4, 0, 9_999, () => {}),
  g: number(2, 0, 99, () => {}),
  y: number(2, 0, 99, ({ time }, value) => {
    time.year = value < 69 ? 2000 + value : 1900 + value;
  }),
  Y: (reader) => {
    skipBlanks(reader);
    const match = /^[+-]?\d{1,4}/.exec(reader.text.slice(reader.at, reader.at + 5));
    if (match === null) return false;
    reader.at += match[0].length;
    reader.time.year = Number(match[0]);
    return true;
  },
  z: (reader) => {
    skipBlanks(reader);
    const match = /^(?:Z|[+-]\d{2}(?::?\d{2})?)/.exec(reader.text.slice(reader.at, reader.at + 6));
    if (match === null) return false;
    reader.at += match[0].length;
    return true;
  },
  Z: (reader) => {
    const match = /^\S*/.exec(reader.text.slice(reader.at));
    reader.at += match![0].length;
    return true;
  },
  '%': (reader) => reader.text[reader.at] === '%' && ++reader.at > 0,
};
