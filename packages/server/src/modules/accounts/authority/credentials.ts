import type { Actor } from '../../../platform/actor.ts';
import { type Authority, actorAuthority, coversAuthority } from '../../../platform/authority.ts';
import { everything, type Gain, type Permitted, permit } from './permit.ts';

/** The rights of an organization's credential: its role within its scopes. */
export interface CredentialRights {
  readonly role: string;
  /** Null or absent without restriction. */
  readonly scopes?: readonly string[] | null | undefined;
}

/**
 * Permits returning a secret to a caller who holds all rights of the credential. Who had it before does not matter,
 * because the answer shows it.
 * @throws AppError `insufficient_scope`, `missing_permissions`
 */
export function permitSecret<T>(actor: Actor, secret: T, credential: CredentialRights): Permitted<T> {
  return permit(actorAuthority(actor), secret, [
    toGain('giving out the secret of credentials', authorityIn(credential)),
  ]);
}

/** Permits scopes that the author holds or the credential had before. @throws AppError as `permitSecret` */
export function permitScopes<T>(
  actor: Actor,
  change: T,
  before: CredentialRights,
  after: CredentialRights,
): Permitted<T> {
  const gains = coversAuthority(authorityIn(before), authorityIn(after))
    ? []
    : [toGain('giving credentials these scopes', authorityIn(after))];
  return permit(actorAuthority(actor), change, gains);
}

/**
 * Permits an API token, or a new secret of one: the owner's roles and teams within its scopes.
 * @throws AppError as `permitSecret`
 */
export function permitToken<T>(
  actor: Actor,
  token: T,
  owner: Omit<Authority, 'scopes'>,
  scopes: readonly string[] | null | undefined,
): Permitted<T> {
  const authority = { ...owner, ...(scopes ? { scopes } : {}) };
  return permit(actorAuthority(actor), token, [toGain('giving out this API token', authority)]);
}

/**
 * What decides by itself later whom to admit and what they get, if its author may do everything; whatever it gives was
 * then theirs to give. `change` says it as a noun.
 * @throws AppError as `permitSecret`
 */
export function permitWhole<T>(actor: Actor, value: T, change: string): Permitted<T> {
  return permit(actorAuthority(actor), value, [toGain(change, everything)]);
}

function authorityIn({ role, scopes }: CredentialRights): Authority {
  return { roles: [role], teamKeys: [], ...(scopes ? { scopes } : {}) };
}

function toGain(change: string, authority: Authority): Gain {
  return { change, authority };
}
