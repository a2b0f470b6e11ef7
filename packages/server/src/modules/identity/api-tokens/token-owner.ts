import type { Actor } from '../../../platform/actor.ts';

/** The owner of tokens the caller makes: the person, or the organization's credential. */
export function tokenOwner({ userId, id }: Actor): { readonly userId?: string; readonly clientId?: string } {
  return userId === undefined ? { clientId: id } : { userId };
}
