import type { Actor } from '../../../platform/actor.ts';
import { type Authority, authorityOf, coversAuthority } from '../../../platform/authority.ts';
import { everything, type Gain, type Permitted, permit } from './permit.ts';

/** What a credential of the organization may do: its role, and the scopes it is restricted to. */
export interface CredentialRights {
  readonly role: string;
  /** Null and absent for no restriction. */
  readonly scopes?: readonly string[] | null | undefined;
}

/**
 * A secret of a credential, if whoever gets it holds what the credential may do. The answer holds the secret, so it does
 * not matter who had it before. @throws AppError `insufficient_scope`, `missing_permissions`
 */
export function permitSecret<T>(actor: Actor, secret: T, credential: CredentialRights): Permitted<T> {
  return permit(authorityOf(actor), secret, [gainOf('giving out the secret of credentials', authorityIn(credential))]);
}

/** Other scopes of a credential, if its author holds them or it had them before. @throws AppError as `permitSecret` */
export function permitScopes<T>(
  actor: Actor,
  change: T,
  before: CredentialRights,
  after: CredentialRights,
): Permitted<T> {
  const gains = coversAuthority(authorityIn(before), authorityIn(after))
    ? []
    : [gainOf('giving credentials these scopes', authorityIn(after))];
  return permit(authorityOf(actor), change, gains);
}

/**
 * An API token, or another secret of one: it has the roles and teams of its owner, restricted to scopes.
 * @throws AppError as `permitSecret`
 */
export function permitToken<T>(
  actor: Actor,
  token: T,
  owner: Omit<Authority, 'scopes'>,
  scopes: readonly string[] | null | undefined,
): Permitted<T> {
  const authority = { ...owner, ...(scopes ? { scopes } : {}) };
  return permit(authorityOf(actor), token, [gainOf('giving out this API token', authority)]);
}

/**
 * What decides by itself later whom to admit and what they get, if its author may do everything; whatever it gives was
 * then theirs to give. `change` says it as a noun. @throws AppError as `permitSecret`
 */
export function permitWhole<T>(actor: Actor, value: T, change: string): Permitted<T> {
  return permit(authorityOf(actor), value, [gainOf(change, everything)]);
}

function authorityIn({ role, scopes }: CredentialRights): Authority {
  return { roles: [role], teamKeys: [], ...(scopes ? { scopes } : {}) };
}

function gainOf(change: string, authority: Authority): Gain {
  return { change, authority };
}
