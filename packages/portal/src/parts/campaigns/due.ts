const dayMs = 86_400_000;

/** Whole days of the reader's calendar from now until a date (`2027-01-31`); negative once it has passed. */
export function daysLeft(date: string, now: Date): number {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const today = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate());
  return Math.round((Date.UTC(year, month - 1, day) - today) / dayMs);
}

/** The days left in words. */
export function dueText(date: string, now: Date): string {
  const left = daysLeft(date, now);
  const count = `${Math.abs(left).toLocaleString()} ${Math.abs(left) === 1 ? 'day' : 'days'}`;
  if (left === 0) return 'Due today';
  return left > 0 ? `${count} left` : `${count} overdue`;
}

/** A calendar date as the reader's language writes it, in no time zone. */
export function writtenDate(date: string): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return format.format(new Date(Date.UTC(year, month - 1, day)));
}

const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
