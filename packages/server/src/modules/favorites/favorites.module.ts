import * as contract from '@portolan/contract/favorites';
import { type Route, route } from '../../platform/http/route.ts';
import type { FavoritesDeps } from './favorites.deps.ts';
import { putFavorites } from './put-favorites.ts';
import { readFavorites } from './read-favorites.ts';

export function createFavorites(deps: FavoritesDeps): { readonly routes: Route[] } {
  return {
    routes: [
      route(contract.getFavorites, async (_input, { actor }) => ({ favorites: await readFavorites(deps, actor) })),
      route(contract.putFavorites, async ({ body }, { actor }) => ({
        favorites: await putFavorites(deps, actor, body.favorites),
      })),
    ],
  };
}
