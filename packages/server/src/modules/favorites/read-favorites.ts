import type { Favorite } from '@portolan/contract/favorites';
import type { Actor } from '../../platform/actor.ts';
import { findTargets } from './favorite.store.ts';
import type { FavoritesDeps } from './favorites.deps.ts';
import { showTargets } from './show-targets.ts';

/** The caller's own favorites that they may read, in their order; credentials of the organization have none. */
export async function readFavorites(
  deps: Pick<FavoritesDeps, 'database' | 'clock'>,
  actor: Actor,
): Promise<Favorite[]> {
  if (actor.kind !== 'person') return [];
  const targets = await findTargets(deps.database, actor.orgId, actor.id);
  return (await showTargets(deps, actor, targets)).map(({ favorite }) => favorite);
}
