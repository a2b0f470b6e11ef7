import { countNumbers } from './vocabulary.ts';
import type { Word } from './words.ts';

/** Days of the calendar in UTC, `to` not included; an open end is absent. */
export interface DateSpan {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

interface FoundSpan {
  readonly span: DateSpan;
  readonly end: number;
}

type Unit = 'day' | 'week' | 'month' | 'quarter' | 'year';
const units = new Map<string, Unit>(
  (['day', 'week', 'month', 'quarter', 'year'] as const).flatMap(
    (unit) =>
      [
        [unit, unit],
        [`${unit}s`, unit],
      ] as const,
  ),
);
const monthNames = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/** The spans that the words from `at` name; `today` is a day as `2026-03-02`. */
export function spansAt(words: readonly Word[], at: number, today: string): FoundSpan[] {
  const word = (offset: number): string => words[at + offset]?.lower ?? '';
  const lead = /^(in|within|during|over|from|of|for|on)$/.test(word(0)) ? 1 : 0;
  const start = at + lead + (word(lead) === 'the' ? 1 : 0);
  const found = [...namedSpan(words, start, today), ...namedMonth(words, start, today)];
  return [...found, ...sinceOrBefore(words, at)];
}

function namedSpan(words: readonly Word[], start: number, today: string): FoundSpan[] {
  const [first = '', second = '', third = ''] = [0, 1, 2].map((offset) => words[start + offset]?.lower ?? '');
  if (first === 'today') return [{ span: { from: today, to: addDays(today, 1) }, end: start + 1 }];
  if (first === 'yesterday') return [{ span: { from: addDays(today, -1), to: today }, end: start + 1 }];
  const unit = units.get(second);
  if (first === 'this' && unit && !second.endsWith('s')) {
    const from = startOf(unit, today);
    return [{ span: { from, to: addUnits(from, unit, 1) }, end: start + 2 }];
  }
  if (/^(last|past|previous)$/.test(first)) {
    if (unit && !second.endsWith('s')) {
      const to = startOf(unit, today);
      return [{ span: { from: addUnits(to, unit, -1), to }, end: start + 2 }];
    }
    const count = countNumbers[second] ?? Number(second);
    const many = units.get(third);
    if (many && Number.isInteger(count) && count > 0 && count < 1000) {
      return [{ span: { from: addUnits(today, many, -count), to: addDays(today, 1) }, end: start + 3 }];
    }
    if (second === '24' && third === 'hours') return [];
  }
  const day = dateAt(words, start);
  return day && words[start - 1]?.lower === 'on' ? [{ span: { from: day, to: addDays(day, 1) }, end: start + 1 }] : [];
}

/** "in January", "in January 2026"; a month alone is the last one of that name. */
function namedMonth(words: readonly Word[], start: number, today: string): FoundSpan[] {
  const month = monthNames.indexOf(words[start]?.lower ?? '');
  if (month < 0 || words[start - 1]?.lower === undefined) return [];
  const year = /^(19|20)\d\d$/.exec(words[start + 1]?.lower ?? '')?.[0];
  const thisYear = Number(today.slice(0, 4));
  const isLater = month + 1 > Number(today.slice(5, 7));
  const from = `${year ?? thisYear - (isLater ? 1 : 0)}-${String(month + 1).padStart(2, '0')}-01`;
  return [{ span: { from, to: addUnits(from, 'month', 1) }, end: start + (year ? 2 : 1) }];
}

function sinceOrBefore(words: readonly Word[], at: number): FoundSpan[] {
  const first = words[at]?.lower ?? '';
  const day = dateAt(words, at + 1);
  if (first === 'between' && day && words[at + 2]?.lower === 'and') {
    const last = dateAt(words, at + 3);
    return last ? [{ span: { from: day, to: addDays(last, 1) }, end: at + 4 }] : [];
  }
  if (!day) return [];
  if (first === 'since' || first === 'from') return [{ span: { from: day }, end: at + 2 }];
  if (first === 'after') return [{ span: { from: addDays(day, 1) }, end: at + 2 }];
  if (first === 'before' || first === 'until') return [{ span: { to: day }, end: at + 2 }];
  return [];
}

/** A date, or the first day of a year. */
function dateAt(words: readonly Word[], at: number): string | undefined {
  const text = words[at]?.lower ?? '';
  if (/^(19|20)\d\d$/.test(text)) return `${text}-01-01`;
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
}

function toDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}

function addDays(day: string, days: number): string {
  const date = new Date(day);
  date.setUTCDate(date.getUTCDate() + days);
  return toDay(date);
}

function addUnits(day: string, unit: Unit, count: number): string {
  if (unit === 'day') return addDays(day, count);
  if (unit === 'week') return addDays(day, 7 * count);
  const date = new Date(day);
  const months = count * { month: 1, quarter: 3, year: 12 }[unit];
  const dayOfMonth = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(dayOfMonth, last));
  return toDay(date);
}

/** The first day of the calendar's day, week (from Monday), month, quarter or year. */
function startOf(unit: Unit, day: string): string {
  const date = new Date(day);
  if (unit === 'week') return addDays(day, -((date.getUTCDay() + 6) % 7));
  if (unit === 'month') return `${day.slice(0, 7)}-01`;
  if (unit === 'quarter')
    return `${day.slice(0, 5)}${String(3 * Math.floor(date.getUTCMonth() / 3) + 1).padStart(2, '0')}-01`;
  return unit === 'year' ? `${day.slice(0, 4)}-01-01` : day;
}

/** As in "from 2026-02-01 to 2026-02-28". */
export function spanWords({ from, to }: DateSpan): string {
  const last = to && addDays(to, -1);
  if (from && last) return from === last ? `on ${from}` : `from ${from} to ${last}`;
  return from ? `since ${from}` : `before ${to}`;
}
