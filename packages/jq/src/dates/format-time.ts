import { type BrokenDownTime, isLeapYear, monthNames, secondsFromEpoch, weekdayNames } from './calendar.ts';

const two = (value: number): string => String(value).padStart(2, '0');
const blankTwo = (value: number): string => String(value).padStart(2, ' ');
const hour12 = (time: BrokenDownTime): number => time.hours % 12 || 12;
const named = (names: readonly string[], at: number): string => names[at] ?? '?';

/** C's `strftime` in the C locale and UTC; an unknown conversion stays as it is. */
export function formatTime(format: string, time: BrokenDownTime): string {
  return format.replace(/%[-_0^#EO]*([a-zA-Z+%])/g, (whole, letter: string) => {
    const convert = conversions[letter];
    return convert === undefined ? whole : convert(time);
  });
}

const conversions: Record<string, (time: BrokenDownTime) => string> = {
  a: (time) => named(weekdayNames, time.weekday).slice(0, 3),
  A: (time) => named(weekdayNames, time.weekday),
  b: (time) => named(monthNames, time.month).slice(0, 3),
  B: (time) => named(monthNames, time.month),
  c: (time) => formatTime('%a %b %e %H:%M:%S %Y', time),
  C: (time) => two(Math.floor(time.year / 100)),
  d: (time) => two(time.day),
  D: (time) => formatTime('%m/%d/%y', time),
  e: (time) => blankTwo(time.day),
  F: (time) => formatTime('%Y-%m-%d', time),
  g: (time) => two(isoWeek(time).year % 100),
  G: (time) => String(isoWeek(time).year),
  h: (time) => named(monthNames, time.month).slice(0, 3),
  H: (time) => two(time.hours),
  I: (time) => two(hour12(time)),
  j: (time) => String(time.yearday + 1).padStart(3, '0'),
  k: (time) => blankTwo(time.hours),
  l: (time) => blankTwo(hour12(time)),
  m: (time) => two(time.month + 1),
  M: (time) => two(time.minutes),
  n: () => '\n',
  p: (time) => (time.hours < 12 ? 'AM' : 'PM'),
  P: (time) => (time.hours < 12 ? 'am' : 'pm'),
  r: (time) => formatTime('%I:%M:%S %p', time),
  R: (time) => formatTime('%H:%M', time),
  s: (time) => String(Math.floor(secondsFromEpoch(time))),
  S: (time) => two(Math.floor(time.seconds)),
  t: () => '\t',
  T: (time) => formatTime('%H:%M:%S', time),
  u: (time) => String(time.weekday === 0 ? 7 : time.weekday),
  U: (time) => two(Math.floor((time.yearday + 7 - time.weekday) / 7)),
  V: (time) => two(isoWeek(time).week),
  w: (time) => String(time.weekday),
  W: (time) => two(Math.floor((time.yearday + 7 - ((time.weekday + 6) % 7)) / 7)),
  x: (time) => formatTime('%m/%d/%y', time),
  X: (time) => formatTime('%H:%M:%S', time),
  y: (time) => two(((time.year % 100) + 100) % 100),
  Y: (time) => String(time.year),
  z: () => '+0000',
  Z: () => 'UTC',
  '%': () => '%',
};

/** ISO 8601 week and year: weeks start on Monday, and week 1 holds the year's first Thursday. */
function isoWeek(time: BrokenDownTime): { year: number; week: number } {
  const weekday = (time.weekday + 6) % 7;
  const week = Math.floor((time.yearday - weekday + 10) / 7);
  if (week < 1) {
    const yearday = time.yearday + (isLeapYear(time.year - 1) ? 366 : 365);
    return { year: time.year - 1, week: Math.floor((yearday - weekday + 10) / 7) };
  }
  const daysInYear = isLeapYear(time.year) ? 366 : 365;
  if (week === 53 && time.yearday - weekday + 3 >= daysInYear) return { year: time.year + 1, week: 1 };
  return { year: time.year, week };
}
