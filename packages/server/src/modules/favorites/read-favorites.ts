import type { Favorite } from '@portolan/contract/favorites';
import type { Actor } from '../../platform/actor.ts';
import { AppError } from '../../platform/errors.ts';
import { findTargets } from './favorite.store.ts';
import type { FavoritesDeps } from './favorites.deps.ts';
import { showTargets } from './show-targets.ts';

/**
 * The caller's own favorites that they may read, in their order.
 * @throws AppError `missing_permissions` for credentials of the organization
 */
export async function readFavorites(
  deps: Pick<FavoritesDeps, 'database' | 'clock'>,
  actor: Actor,
): Promise<Favorite[]> {
  const targets = await findTargets(deps.database, actor.orgId, assertPerson(actor));
  return (await showTargets(deps, actor, targets)).map(({ favorite }) => favorite);
}

/** @throws AppError `missing_permissions` */
export function assertPerson({ kind, id }: Actor): string {
  if (kind === 'person') return id;
  throw new AppError(
    'missing_permissions',
    'Only people have favorites: sign in, or use a token of a person instead of credentials of the organization',
  );
}
