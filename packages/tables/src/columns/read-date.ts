import type { Converted, DateOrder } from './column.ts';

const iso = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;
const written = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?:[ ,T]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;

/** A moment in UTC. A date without a time is midnight, a time without a zone UTC. */
export function readDate(cell: string, order: DateOrder | undefined): Converted {
  const text = cell.trim();
  const match = iso.exec(text);
  if (match) return moment(text, match.slice(1, 7), match[7], match[8]);
  const parts = written.exec(text);
  if (!parts) return { message: `"${text.slice(0, 60)}" is no date. Write it as 2026-05-31 or 2026-05-31T14:30:00Z.` };
  const [, first = '', , second = '', year = '', hour, minute, secondOfTime] = parts;
  const found = order ?? orderOf(Number(first), Number(second));
  if (!found)
    return { message: `"${text}" may be a day and month or a month and day. Choose the order of the column.` };
  const [day, month] = found === 'dmy' ? [first, second] : [second, first];
  return moment(text, [year, month, day, hour, minute, secondOfTime]);
}

/** Which order a date in figures must have; undefined where both are possible. */
export function findDateOrder(text: string): DateOrder | undefined {
  const parts = written.exec(text.trim());
  if (!parts || Number(parts[1]) === Number(parts[3])) return undefined;
  return orderOf(Number(parts[1]), Number(parts[3]));
}

export function looksLikeDate(text: string): boolean {
  return iso.test(text.trim()) || written.test(text.trim());
}

function orderOf(first: number, second: number): DateOrder | undefined {
  if (first > 12) return 'dmy';
  if (second > 12) return 'mdy';
  return first === second ? 'dmy' : undefined;
}

function moment(
  text: string,
  parts: readonly (string | undefined)[],
  fraction = '',
  zone: string | undefined = undefined,
): Converted {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts.map((part) => Number(part ?? 0));
  const milliseconds = Number(fraction.padEnd(3, '0').slice(0, 3));
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, milliseconds);
  const isReal =
    date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
  if (!isReal) return { message: `"${text}" is no date of the calendar.` };
  return { value: new Date(date.getTime() - zoneMinutes(zone) * 60_000).toISOString() };
}

function zoneMinutes(zone: string | undefined): number {
  if (!zone || zone.toUpperCase() === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return zone.startsWith('-') ? -minutes : minutes;
}
