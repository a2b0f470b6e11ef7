import type { Actor } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Account } from '../account.store.ts';
import type { LinkEnd, StoredLink } from '../passwords/link.store.ts';
import { assertStillPermitted, seeLink } from '../passwords/password-links.ts';
import { readProof } from '../proof.ts';
import { type Browser, signingIn } from '../sessions/open-session.ts';
import type { SignInDeps } from '../sign-in.deps.ts';
import { describeMaker } from './invitation-mail.ts';

/**
 * What the holder of a link is told before using it.
 * @throws AppError `unauthorized` for a token that is no link's, `too_many_requests`
 */
export async function lookAtLink(deps: SignInDeps, token: string, browser: Browser) {
  const { link, account } = await seeLink(deps, token, browser);
  const orgId = readProof(token)?.orgId ?? '';
  const state = await stateNow(deps, link, account && { account, actor: signingIn(account, browser) });
  const { organization, maker } = await describeMaker(deps.database, orgId, link.createdBy);
  return {
    state,
    purpose: account?.lastLoginAt === null ? ('invitation' as const) : ('password' as const),
    organization,
    madeBy: maker,
    email: state === 'open' && account ? account.identifier : null,
    expiresAt: link.expiresAt.toISOString(),
  };
}

/** A link whose maker may not give it any more counts as taken back. */
async function stateNow(
  { database, clock }: SignInDeps,
  link: StoredLink,
  user: { readonly account: Account; readonly actor: Actor } | undefined,
): Promise<LinkEnd | 'open' | 'expired'> {
  if (link.endedAs) return link.endedAs;
  if (!user) return 'revoked';
  if (link.expiresAt <= clock.now()) return 'expired';
  try {
    // nothing is written, so it is told of an organization that takes no changes too
    await database.transaction((tx) => assertStillPermitted(tx, link, user.account));
    return 'open';
  } catch (error) {
    if (error instanceof AppError) return 'revoked';
    throw error;
  }
}
