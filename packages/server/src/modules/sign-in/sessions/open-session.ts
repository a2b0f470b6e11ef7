import type { Actor } from '../../../platform/actor.ts';
import { newId } from '../../../platform/ids.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { type Account, setLastLogin } from '../account.store.ts';
import { deleteInvitation } from '../invitations/invitation.store.ts';
import { endLinks } from '../passwords/link.store.ts';
import { hashProof, newProof, readProof, writeProof } from '../proof.ts';
import { provisioningActor } from '../provisioner.ts';
import type { SignInDeps } from '../sign-in.deps.ts';
import { deleteSessions, insertSession } from './session.store.ts';
import { lifeMs } from './session-times.ts';

export interface Browser {
  readonly userAgent: string;
  readonly address: string;
  /** Earlier session cookie. */
  readonly cookie: string | undefined;
}

/** Actor of an authenticated user without a session yet. */
export function signingIn(account: Account, { userAgent }: Browser): Actor {
  return {
    orgId: account.orgId,
    model: account.model,
    kind: 'person',
    id: account.identifier,
    userId: account.identifier,
    roles: ['Member'],
    teamKeys: [],
    datasource: userAgent.slice(0, 1000),
    origin: 'UI',
  };
}

/**
 * Opens a session for an authenticated user and returns its cookie. The cookie is always new, so a planted one is
 * worthless, and the session it named ends. A first sign-in activates the user and ends the invitation, however the user
 * came in.
 * @throws AppError `user_limit_reached`
 */
export async function openSession(
  deps: SignInDeps,
  work: Work,
  account: Account,
  method: 'password' | 'sso',
  browser: Browser,
  { enteredFrom, endsAt }: { readonly enteredFrom?: string; readonly endsAt?: Date } = {},
): Promise<string> {
  const { tx, now } = work;
  const { orgId, identifier, key } = account;
  if (account.lastLoginAt === null) {
    await endLinks(tx, orgId, key, 'used', now);
    await deleteInvitation(tx, orgId, key);
  }
  if (account.status !== 'Active') {
    const first = { ...work, actor: provisioningActor(account, 'sign-in') };
    await deps.people.changeUser(first, identifier, { status: 'Active' });
  }
  await setLastLogin(tx, orgId, key, now);
  const before = readProof(browser.cookie);
  if (before?.orgId === orgId) await deleteSessions(tx, orgId, identifier, { only: before.id });
  const [id, secret] = [newId('ses_'), newProof()];
  await insertSession(tx, {
    orgId,
    id,
    userKey: key,
    secretHash: hashProof(secret),
    method,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: endsAt ?? new Date(now.getTime() + lifeMs),
    userAgent: browser.userAgent.slice(0, 500),
    address: browser.address.slice(0, 100),
    enteredFrom: enteredFrom ?? null,
  });
  work.record({
    event: 'session.created',
    action: 'CREATE',
    resourceType: 'session',
    identifier: id,
    context: {},
    after: { user: identifier, method, address: browser.address },
  });
  return writeProof({ orgId, id, secret });
}
