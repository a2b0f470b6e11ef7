import { dayAfter, daysBetween } from './days.ts';

/** So many days before the due date owners are reminded. */
export const reminderSteps = [14, 7, 1] as const;

/** A reminder that was missed because nothing ran is made up for so many days. */
const lateDays = 2;

/** The reminder that is to go on a day, if any. Pure. */
export function stepDue(dueDate: string, today: string): number | undefined {
  const left = daysBetween(today, dueDate);
  if (left < 0) return undefined;
  return reminderSteps.find((step) => left <= step && left >= step - lateDays);
}

/** The day of the next reminder, of a due date of which some went already; null if none is left. Pure. */
export function nextReminder(dueDate: string, today: string, sent: readonly number[]): string | null {
  const due = stepDue(dueDate, today);
  if (due !== undefined && !sent.includes(due)) return today;
  const next = reminderSteps.find((step) => dayAfter(dueDate, -step) > today && !sent.includes(step));
  return next === undefined ? null : dayAfter(dueDate, -next);
}
