const dayMs = 86_400_000;

export interface Day {
  readonly day: string;
  readonly total: number;
  readonly reached: number;
}

/** A point of the drawing: both from 0 to 1, `y` counted from the top. */
interface Point {
  readonly x: number;
  readonly y: number;
}

export interface BurnDown {
  /** What is open, day by day. */
  readonly line: readonly Point[];
  /** From what was open first to nothing on the due date. */
  readonly ideal: readonly [Point, Point];
  readonly from: string;
  readonly to: string;
  readonly openMax: number;
  readonly days: readonly { readonly day: string; readonly open: number }[];
}

/** How much was open on past days and is today; undefined while there are fewer than two days. */
export function burnDown(past: readonly Day[], today: Day, dueDate: string): BurnDown | undefined {
  const days = [...past.filter(({ day }) => day < today.day), today].map(({ day, total, reached }) => ({
    day,
    open: total - reached,
  }));
  const [first] = days;
  if (!first || days.length < 2) return undefined;
  const to = dueDate > today.day ? dueDate : today.day;
  const span = Math.max(1, daysBetween(first.day, to));
  const openMax = Math.max(1, ...days.map(({ open }) => open));
  const at = (day: string, open: number): Point => ({ x: daysBetween(first.day, day) / span, y: 1 - open / openMax });
  return {
    line: days.map(({ day, open }) => at(day, open)),
    ideal: [at(first.day, first.open), at(dueDate > first.day ? dueDate : first.day, 0)],
    from: first.day,
    to,
    openMax,
    days,
  };
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs);
}
