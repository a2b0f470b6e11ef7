import { operations, scopeOf, scopes, scopesCover } from '@portolan/contract';
import { type Actor, isAdmin } from '../../platform/actor.ts';

/** Scopes of what is not for administrators alone. */
const forEverybody: ReadonlySet<string> = new Set(
  operations.filter(({ access }) => access === 'token').flatMap((operation) => scopeOf(operation) ?? []),
);

/** What the role of the caller allows, as far as the token is not restricted; rights on single things narrow it. */
export function callerScopes(actor: Actor): string[] {
  return scopes.filter((scope) => (isAdmin(actor) || forEverybody.has(scope)) && scopesCover(actor.scopes, scope));
}
