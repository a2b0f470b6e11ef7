export const dayMs = 24 * 3_600_000;

/** The day (UTC) of a moment, such as `2027-01-31`. */
export function toDay(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

export function dayAfter(day: string, days: number): string {
  return toDay(new Date(Date.parse(day) + days * dayMs));
}

/** Whole days from one day to another. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs);
}
