import { z } from 'zod';
import { operation } from './operation.ts';
import { text } from './search-values.ts';

const favoritesMax = 30;

const identifier = z.string().min(1).max(1000);

const kinds = ['page', 'entity', 'action', 'agent', 'view'] as const;

/** Characters of the settings of one view, as JSON. */
const viewMax = 4000;

/** The filter, sort, grouping and columns of a table, as the address of its page holds them. */
const viewSettings = z
  .record(z.string().max(100), z.json())
  .refine((view) => JSON.stringify(view).length <= viewMax, `must have at most ${viewMax} characters as JSON`);
export type ViewSettings = z.output<typeof viewSettings>;

/** As it is written; the title and icon of an answer may be sent back, and say nothing. */
const writtenFavorite = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('page'), identifier }),
  z.object({ kind: z.literal('entity'), identifier, blueprint: z.string().min(1).max(100) }),
  z.object({ kind: z.literal('action'), identifier }),
  z.object({ kind: z.literal('agent'), identifier }),
  z.object({
    kind: z.literal('view'),
    /** The name that the person gave it. */
    identifier: text.min(1).max(100),
    /** The page with the table. */
    page: identifier,
    view: viewSettings,
  }),
]);
export type WrittenFavorite = z.output<typeof writtenFavorite>;

const favorite = z.object({
  kind: z.enum(kinds),
  identifier: z.string(),
  /** Of an entity. */
  blueprint: z.string().optional(),
  /** Of a view: its page. */
  page: z.string().optional(),
  view: viewSettings.optional(),
  title: z.string().optional(),
  icon: z.string().optional(),
});
export type Favorite = z.output<typeof favorite>;

const tag = 'Pages';
const answer = z.object({ ok: z.literal(true), favorites: z.array(favorite) });

export const getFavorites = operation({
  id: 'getFavorites',
  method: 'GET',
  path: '/v1/me/favorites',
  scope: 'read:users',
  tag,
  summary: 'List your own favorites, in your order',
  description:
    'Pages, entities, actions, agents and views of tables, with the titles and icons they have now. What is gone, a view of a page that is gone, what you may no longer read, and what the scopes of the token do not reach, is left out.',
  access: 'token',
  answer,
  errors: [],
});

export const putFavorites = operation({
  id: 'putFavorites',
  method: 'PUT',
  path: '/v1/me/favorites',
  scope: 'update:users',
  tag,
  summary: 'Replace your own favorites',
  description: `The list as it shall be, first to last, at most ${favoritesMax}. What is not there, or what you may not read, is dropped without a word; the answer says what is kept. Of two lists at the same time the later one counts.`,
  access: 'token',
  body: z.object({
    favorites: z.array(writtenFavorite).max(favoritesMax).check(refuseDuplicates),
  }),
  unknownFields: 'closed',
  answer,
  errors: ['missing_permissions'],
});

function refuseDuplicates({ value, issues }: z.core.ParsePayload<WrittenFavorite[]>): void {
  const seen = new Set<string>();
  for (const [index, each] of value.entries()) {
    const within = each.kind === 'entity' ? each.blueprint : each.kind === 'view' ? each.page : '';
    const name = JSON.stringify([each.kind, each.identifier, within]);
    if (seen.has(name)) {
      issues.push({ code: 'custom', input: each, path: [index], message: 'stands in the list already' });
    }
    seen.add(name);
  }
}

export const favoriteOperations = [getFavorites, putFavorites] as const;
