import type { Activity, ActivityBounds, ActivityList } from '../git-host.ts';

/** More open pull requests than this are not looked for in one repository. */
const openMax = 5_000;
const pagesMax = 100;

interface Page<Cursor> {
  readonly items: readonly Activity[];
  /** Null only where the host says that the list ends. */
  readonly next: Cursor | null;
}

/** Pages of a list until there are so many, or no more. What moves while it is read may stand on two pages. */
export async function readPages<Cursor>(
  first: Cursor,
  max: number,
  read: (at: Cursor) => Promise<Page<Cursor>>,
): Promise<ActivityList> {
  const items = new Map<string, Activity>();
  let next: Cursor | null = first;
  for (let count = 0; next !== null && items.size < max && count < pagesMax; count += 1) {
    const page: Page<Cursor> = await read(next);
    for (const item of page.items) items.set(item.id, item);
    next = page.next;
  }
  return { items: [...items.values()].slice(0, max), isWhole: next === null && items.size <= max };
}

/** The latest pull requests and all open ones, however old. */
export async function listPullRequests(
  { max, open }: ActivityBounds,
  readLatest: (max: number) => Promise<ActivityList>,
  readOpen: (max: number) => Promise<ActivityList>,
): Promise<ActivityList> {
  const latest = await readLatest(max);
  const isOpen = ({ document }: Activity): boolean => document['state'] === 'open';
  if (latest.isWhole || latest.items.filter(isOpen).length === open) return latest;
  const others = await readOpen(openMax);
  const known = new Set(latest.items.map(({ id }) => id));
  return { ...latest, items: [...latest.items, ...others.items.filter(({ id }) => !known.has(id))] };
}
