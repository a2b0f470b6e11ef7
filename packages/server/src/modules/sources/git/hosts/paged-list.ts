import { z } from 'zod';

/** A place in the lists of all owners, for hosts that count pages. */
export const pageCursor = z.object({
  owner: z.number(),
  page: z.number(),
  total: z.number().nullable(),
  restarts: z.number(),
});
export type PageCursor = Readonly<z.output<typeof pageCursor>>;

export const firstPage: PageCursor = { owner: 0, page: 1, total: null, restarts: 0 };

interface ReadPage {
  /** How many the host says there are; null where it does not. */
  readonly total: number | null;
  readonly isLast: boolean;
  /** In an order in which what changes meanwhile does not move. */
  readonly isSteady: boolean;
  readonly ownerCount: number;
}

const restartsMax = 3;

/**
 * Where the list goes on; null only at the end of the last owner. One that was deleted moves the others up, and one of
 * them past the page that was read: the list of that owner is read again.
 */
export function followPage(at: PageCursor, { total, isLast, isSteady, ownerCount }: ReadPage): PageCursor | null {
  if (isSteady && at.total !== null && total !== null && total < at.total) {
    if (at.restarts === restartsMax) throw new Error('Repositories are deleted faster than they can be listed');
    return { ...firstPage, owner: at.owner, restarts: at.restarts + 1 };
  }
  if (!isLast) return { ...at, page: at.page + 1, total };
  return at.owner + 1 < ownerCount ? { ...firstPage, owner: at.owner + 1 } : null;
}
