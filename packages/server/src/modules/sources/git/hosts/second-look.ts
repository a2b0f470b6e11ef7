import { z } from 'zod';

/** A page as it was read, to be looked at again once the next one is. */
export const readPage = z.object({ page: z.string().nullable(), ids: z.array(z.string()) });
export type ReadPage = Readonly<z.output<typeof readPage>>;

/**
 * For hosts without a total: what moved up past a page that was read, because others before it were deleted. It stands on
 * that page now. Undefined if nothing of the page is left on it, so that nobody can tell how far the list moved.
 */
export function findMovedUp<Item extends { readonly id: string }>(
  { ids }: ReadPage,
  again: readonly Item[],
): Item[] | undefined {
  const read = new Set(ids);
  const moved = again.filter(({ id }) => !read.has(id));
  return moved.length < again.length ? moved : undefined;
}
