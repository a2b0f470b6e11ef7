/** A broken-down time of C's `struct tm`, in UTC. Month, weekday and day of the year count from 0. */
export interface BrokenDownTime {
  year: number;
  month: number;
  day: number;
  hours: number;
  minutes: number;
  seconds: number;
  weekday: number;
  yearday: number;
}

const monthStarts = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];

export function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** Days from 1970-01-01 in the proleptic Gregorian calendar; any year, and months beyond the range carry over. */
export function daysFromEpoch(year: number, month: number, day: number): number {
  const carried = year + Math.floor(month / 12);
  const inYear = ((month % 12) + 12) % 12;
  const y = inYear < 2 ? carried - 1 : carried;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * ((inYear + 10) % 12) + 2) / 5) + day - 1;
  return (
    era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468
  );
}

export function toWeekday(year: number, month: number, day: number): number {
  return (((daysFromEpoch(year, month, day) + 4) % 7) + 7) % 7;
}

export function toYearday(year: number, month: number, day: number): number {
  return monthStarts[month]! + (month > 1 && isLeapYear(year) ? 1 : 0) + day - 1;
}

/** Whole seconds since 1970-01-01T00:00:00Z; fields out of range carry over, as C's `timegm` does. */
export function secondsFromEpoch(time: BrokenDownTime): number {
  const days = daysFromEpoch(time.year, time.month, time.day);
  return days * 86_400 + time.hours * 3_600 + time.minutes * 60 + time.seconds;
}

/** The broken-down time of whole seconds since the epoch. */
export function breakDown(seconds: number): BrokenDownTime {
  const days = Math.floor(seconds / 86_400);
  const rest = seconds - days * 86_400;
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = (shiftedMonth + 2) % 12;
  const year = yearOfEra + era * 400 + (month < 2 ? 1 : 0);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  return {
    year,
    month,
    day,
    hours: Math.floor(rest / 3_600),
    minutes: Math.floor((rest % 3_600) / 60),
    seconds: rest % 60,
    weekday: (((days + 4) % 7) + 7) % 7,
    yearday: toYearday(year, month, day),
  };
}

export const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
export const monthNames = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];
