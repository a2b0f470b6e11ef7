import { z } from 'zod';

export const pageArguments = {
  limit: z.number().int().min(1).max(200).default(50).describe('How many at most'),
  cursor: z.string().max(1000).optional().describe('`next` of the answer before, for the next page'),
};

/**
 * One page of a list held whole, ordered by identifier. The cursor is the last identifier shown, so the next page
 * follows even if that item is gone.
 */
export function pageOfAll<Item>(
  items: readonly Item[],
  identifierOf: (item: Item) => string,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): { readonly total: number; readonly items: readonly Item[]; readonly next?: string } {
  const sorted = items.map((item) => ({ item, identifier: identifierOf(item) })).sort(byIdentifier);
  const rest = cursor === undefined ? sorted : sorted.filter(({ identifier }) => identifier > cursor);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return {
    total: items.length,
    items: page.map(({ item }) => item),
    ...(last && rest.length > page.length ? { next: last.identifier } : {}),
  };
}

function byIdentifier(a: { readonly identifier: string }, b: { readonly identifier: string }): number {
  if (a.identifier === b.identifier) return 0;
  return a.identifier < b.identifier ? -1 : 1;
}
