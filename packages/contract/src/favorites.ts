import { z } from 'zod';
import { operation } from './operation.ts';

const favoritesMax = 30;

const identifier = z.string().min(1).max(1000);

const kinds = ['page', 'entity', 'action', 'agent'] as const;

/** As it is written; the title and icon of an answer may be sent back, and say nothing. */
const writtenFavorite = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('page'), identifier }),
  z.object({ kind: z.literal('entity'), identifier, blueprint: z.string().min(1).max(100) }),
  z.object({ kind: z.literal('action'), identifier }),
  z.object({ kind: z.literal('agent'), identifier }),
]);
export type WrittenFavorite = z.output<typeof writtenFavorite>;

const favorite = z.object({
  kind: z.enum(kinds),
  identifier: z.string(),
  /** Of an entity. */
  blueprint: z.string().optional(),
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
    'Pages, entities, actions and agents, with the titles and icons they have now. What is gone, what you may no longer read, and what the scopes of the token do not reach, is left out.',
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
    const name = JSON.stringify([each.kind, each.identifier, each.kind === 'entity' ? each.blueprint : '']);
    if (seen.has(name)) {
      issues.push({ code: 'custom', input: each, path: [index], message: 'stands in the list already' });
    }
    seen.add(name);
  }
}

export const favoriteOperations = [getFavorites, putFavorites] as const;
