import type { Actor } from '../../../platform/actor.ts';
import { notFound } from '../../../platform/errors.ts';
import { permitToken } from '../../accounts/index.ts';
import { newSecretId } from '../secret-hash.ts';
import { lockApiToken, setTokenSecret } from './api-token.store.ts';
import { type ApiTokenDeps, holdOwner, issuedAnswer } from './create-api-token.ts';
import { recordedToken } from './present-token.ts';
import { tokenOwner } from './token-owner.ts';

/**
 * Replaces a token by one with the same name, scopes and expiry; the old one works until the overlap ends. @throws
 * AppError `not_found`, also for tokens of others; `insufficient_scope` if the token may do more than the caller
 */
export async function rotateApiToken(
  { unitOfWork, clock, tokens }: ApiTokenDeps,
  actor: Actor,
  { id, overlapSeconds }: { readonly id: string; readonly overlapSeconds: number },
) {
  const { orgId } = actor;
  const secretId = newSecretId();
  const rotated = await unitOfWork(actor, async (work) => {
    const token = await lockApiToken(work.tx, orgId, id, tokenOwner(actor), work.now);
    if (!token) throw notFound('Token', id, 'id');
    const { authority } = await holdOwner(work);
    const previousUntil = new Date(work.now.getTime() + overlapSeconds * 1000);
    const claims = { kind: 'api-token', id, orgId, secretId, isMachine: actor.userId === undefined } as const;
    const accessToken = await tokens.sign(claims, work.now, token.expiresAt);
    const hint = accessToken.slice(-4);
    const next = permitToken(actor, { secretId, hint, previousUntil }, authority, token.scopes);
    await setTokenSecret(work.tx, orgId, id, next);
    work.record({
      event: 'token.rotated',
      action: 'UPDATE',
      resourceType: 'token',
      identifier: id,
      context: {},
      before: recordedToken(token),
      after: { ...recordedToken(token), overlapEndsAt: previousUntil.toISOString() },
    });
    return { token: { ...token, secretId, hint, previousUntil }, accessToken };
  });
  return issuedAnswer(rotated.token, rotated.accessToken, clock.now());
}
