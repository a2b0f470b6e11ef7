import { locale } from '../../kit/language.ts';
import { plural, t } from '../../kit/translate.ts';

const dayMs = 86_400_000;

/** Whole days of the reader's calendar from now until a date (`2027-01-31`); negative once it has passed. */
export function daysLeft(date: string, now: Date): number {
  const today = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate());
  return Math.round((Date.parse(date) - today) / dayMs);
}

/** The days left in words. */
export function dueText(date: string, now: Date): string {
  const left = daysLeft(date, now);
  const count = plural(Math.abs(left), '{count} day', '{count} days');
  if (left === 0) return t('Due today');
  return left > 0 ? t('{count} left', { count }) : t('{count} overdue', { count });
}

/** A calendar date as the reader's language writes it, in no time zone. */
export function writtenDate(date: string): string {
  return format.format(new Date(date));
}

const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
