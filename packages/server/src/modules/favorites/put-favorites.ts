import type { Favorite, WrittenFavorite } from '@portolan/contract/favorites';
import type { Actor } from '../../platform/actor.ts';
import { AppError } from '../../platform/errors.ts';
import { writeTargets } from './favorite.store.ts';
import type { FavoritesDeps } from './favorites.deps.ts';
import { showNamed } from './show-targets.ts';

/**
 * Replaces the caller's own favorites by what they may read of the list, and answers that; the later of two writes counts.
 * Nothing goes into the audit log: nobody else has to know what a person keeps at hand.
 * @throws AppError `missing_permissions` for credentials of the organization
 */
export async function putFavorites(
  deps: FavoritesDeps,
  actor: Actor,
  named: readonly WrittenFavorite[],
): Promise<Favorite[]> {
  const person = assertPerson(actor);
  const shown = await showNamed(deps, actor, named);
  const targets = shown.map(({ target }) => target);
  await deps.unitOfWork(actor, ({ tx }) => writeTargets(tx, actor.orgId, person, targets));
  return shown.map(({ favorite }) => favorite);
}

function assertPerson({ kind, id }: Actor): string {
  if (kind === 'person') return id;
  throw new AppError(
    'missing_permissions',
    'Only people have favorites: sign in, or use a token of a person instead of credentials of the organization',
  );
}
