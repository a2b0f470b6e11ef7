import type { Actor } from '../../../platform/actor.ts';

/** Whose tokens a caller's own are: the person's, or those of the organization's credential it came with. */
export function ownerOf({ userId, id }: Actor): { readonly userId?: string; readonly clientId?: string } {
  return userId === undefined ? { clientId: id } : { userId };
}
