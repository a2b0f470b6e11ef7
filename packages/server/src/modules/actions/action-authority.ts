import type { SavedAuthority } from '../identity/index.ts';

/** An authority as it is answered: teams are left out, since their keys are nobody's business. */
export function presentAuthority({ by, roles, scopes }: SavedAuthority) {
  return { by: by.id, roles: [...roles], ...(scopes === undefined ? {} : { scopes: [...scopes] }) };
}
