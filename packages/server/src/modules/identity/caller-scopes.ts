import { operations } from '@portolan/contract/operations';
import { requiredScope, scopes, scopesCover } from '@portolan/contract/scopes';
import { type Actor, isAdmin } from '../../platform/actor.ts';

/** Scopes that are not only for administrators. */
const forEverybody: ReadonlySet<string> = new Set(
  operations.filter(({ access }) => access === 'token').flatMap((operation) => requiredScope(operation) ?? []),
);

/** What the caller's role allows within the token's scopes; rights on single things narrow it further. */
export function callerScopes(actor: Actor): string[] {
  return scopes.filter((scope) => (isAdmin(actor) || forEverybody.has(scope)) && scopesCover(actor.scopes, scope));
}
