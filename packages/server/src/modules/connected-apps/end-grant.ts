import type { Work } from '../../platform/unit-of-work.ts';
import { type DeletedGrant, deleteGrant } from './grant.store.ts';

/** Ends a grant with all its codes and tokens, within the caller's unit of work; undefined if there is none. */
export async function endGrant(
  { tx, actor, record }: Work,
  id: string,
  { of, message }: { readonly of?: string; readonly message?: string } = {},
): Promise<DeletedGrant | undefined> {
  const grant = await deleteGrant(tx, actor.orgId, id, of);
  if (!grant) return undefined;
  record({
    event: 'connected-app.deleted',
    action: 'DELETE',
    resourceType: 'token',
    identifier: id,
    context: {},
    before: { app: grant.clientName, user: grant.user },
    ...(message === undefined ? {} : { message }),
  });
  return grant;
}
