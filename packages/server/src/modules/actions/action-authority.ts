import { type Authority, coversAuthority } from '../../platform/authority.ts';
import type { Reader } from '../../platform/db/database.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { authorityToday, type SavedAuthority, saveAuthority, savedAuthorityOf } from '../identity/index.ts';
import type { StoredAction } from './action.ts';

/** What an action may do after the caller saved it, and whether that is more than is left to it now. */
export async function authorityWhenSaved(
  { tx, actor }: Work,
  before: StoredAction,
): Promise<{ readonly authority: SavedAuthority | null; readonly isMore: boolean }> {
  const authority = saveAuthority(actor);
  const left = await authorityOfAction(tx, actor.orgId, before);
  return { authority, isMore: left === undefined || !coversAuthority(left, authority) };
}

/** What an action may do today. Undefined once nobody stands behind it. */
export async function authorityOfAction(
  reader: Reader,
  orgId: string,
  action: Pick<StoredAction, 'authority' | 'updatedBy'>,
): Promise<SavedAuthority | undefined> {
  const saved = await savedAuthorityOf(reader, orgId, action);
  return saved && authorityToday(reader, orgId, saved);
}

/** Tells whoever saves with a restricted token that the action gets no further than the token. */
export function warnOfAuthority({ authority }: Pick<StoredAction, 'authority'>): string[] {
  if (authority?.scopes === undefined) return [];
  const scopes = authority.scopes.join(', ') || 'nothing';
  return [
    `The token is restricted, and what the action does in this organization is too: ${scopes}. Save the action with a token that may do more if it needs more`,
  ];
}

/** An authority as it is answered: teams are left out, since their keys are nobody's business. */
export function presentAuthority({ by, roles, scopes }: Pick<SavedAuthority, 'by' | keyof Authority>) {
  return { by: by.id, roles: [...roles], ...(scopes === undefined ? {} : { scopes: [...scopes] }) };
}
