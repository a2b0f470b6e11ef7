import type { ApiToken } from '@portolan/contract/credentials';
import type { ApiTokenRow } from './api-token.store.ts';

export function presentToken(token: ApiTokenRow, now: Date): ApiToken {
  const { previousUntil } = token;
  return {
    id: token.id,
    name: token.name,
    scopes: [...(token.scopes ?? ['*'])],
    hint: token.hint,
    owner: token.owner,
    createdAt: token.createdAt.toISOString(),
    expiresAt: token.expiresAt.toISOString(),
    lastUsedAt: token.lastUsedAt?.toISOString() ?? null,
    overlapEndsAt: previousUntil && previousUntil > now ? previousUntil.toISOString() : null,
  };
}

/** The audit state of a token, without anything usable. */
export function recordedToken({ name, owner, scopes, expiresAt }: ApiTokenRow) {
  return { name, owner, scopes: scopes ?? ['*'], expiresAt: expiresAt.toISOString() };
}
