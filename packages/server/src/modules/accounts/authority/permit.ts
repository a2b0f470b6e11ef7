import { scopesCover } from '@portolan/contract/scopes';
import { type Authority, coversAuthority } from '../../../platform/authority.ts';
import { AppError } from '../../../platform/errors.ts';

declare const passed: unique symbol;

/**
 * Proof that a value gives nobody more authority than its author has. Writers of rights accept nothing else, and only
 * this folder creates it: a write that forgets the check does not compile.
 */
export type Permitted<T> = T & { readonly [passed]: true };

/** Authority that somebody has after a change and not before. */
export interface Gain {
  /** A noun phrase: `making "jo@example.com" an administrator`. */
  readonly change: string;
  /** The authority its author must hold. */
  readonly authority: Authority;
  /** Its place in the request, for issues. */
  readonly path?: string;
}

/** An unrestricted administrator's authority. */
export const everything: Authority = { roles: ['Admin'], teamKeys: [] };

/**
 * The one decision on giving rights: nobody gives more than they hold.
 * @throws AppError `insufficient_scope` if only the token's restriction stands in the way, otherwise
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

/** Wraps a change that gives nothing: the value stays, or says the same by other names. */
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
