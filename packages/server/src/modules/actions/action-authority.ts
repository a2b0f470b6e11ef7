import type { SavedAuthority } from '../accounts/index.ts';

/** Presents an authority without its teams, whose keys are internal. */
export function presentAuthority({ by, roles, scopes }: SavedAuthority) {
  return { by: by.id, roles: [...roles], ...(scopes === undefined ? {} : { scopes: [...scopes] }) };
}
