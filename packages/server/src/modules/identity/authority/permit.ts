import { scopesCover } from '@portolan/contract';
import { type Authority, coversAuthority } from '../../../platform/authority.ts';
import { AppError } from '../../../platform/errors.ts';

declare const passed: unique symbol;

/**
 * What may be written because it gives nobody more authority than its author has. Whatever writes rights takes nothing
 * else, and only this folder makes it: a write that forgets to ask does not compile.
 */
export type Permitted<T> = T & { readonly [passed]: true };

/** Authority that somebody would have after a change and does not have before it. */
export interface Gain {
  /** The change as a noun, in the middle of a sentence: `making "jo@example.com" an administrator`. */
  readonly change: string;
  /** What its author must hold. */
  readonly authority: Authority;
  /** Where the change stands in the request, for issues. */
  readonly path?: string;
}

/** Everything there is: an administrator without restriction. */
export const everything: Authority = { roles: ['Admin'], teamKeys: [] };

/**
 * The one decision on what people and credentials may give: no more than they hold.
 * @throws AppError `insufficient_scope` if the restriction of the token is all that stands in the way, else
 * `missing_permissions`
 */
export function permit<T>(held: Authority, value: T, gains: readonly Gain[]): Permitted<T> {
  const { scopes: _scopes, ...unrestricted } = held;
  const refused = gains.filter(({ authority }) => !coversAuthority(held, authority));
  const byRights = refused.filter(({ authority }) => !coversAuthority(unrestricted, authority));
  if (byRights.length > 0) throw refusal('missing_permissions', byRights, lacksRights);
  if (refused.length > 0) throw refusal('insufficient_scope', refused, (gain) => lacksScopes(held.scopes ?? [], gain));
  return value as Permitted<T>;
}

/** What stays as it is, or says the same by other names: a change that gives nothing to judge. */
export function unchanged<T>(value: T): Permitted<T> {
  return value as Permitted<T>;
}

function refusal(
  code: 'missing_permissions' | 'insufficient_scope',
  gains: readonly Gain[],
  sentence: (gain: Gain) => string,
): AppError {
  const [first] = gains;
  const issues = gains.flatMap(({ path, change }) =>
    path === undefined ? [] : [{ path, message: `${change} is refused` }],
  );
  return new AppError(code, first ? sentence(first) : '', issues.length > 0 ? { details: issues } : {});
}

function lacksRights({ change }: Gain): string {
  return `${capitalized(change)} takes rights that you do not have; ask an administrator to do it`;
}

function lacksScopes(held: readonly string[], { change, authority }: Gain): string {
  const restriction = `The token is restricted to ${held.join(', ') || 'nothing'}`;
  const missing = authority.scopes?.filter((scope) => !scopesCover(held, scope));
  if (!missing) return `${restriction}. ${capitalized(change)} needs a token without restriction`;
  return `${restriction}. ${capitalized(change)} also needs ${missing.join(', ')}`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
