import type { Work } from '../../../platform/unit-of-work.ts';
import { findAccount } from '../account.store.ts';
import type { SignInDeps } from '../sign-in.deps.ts';
import { setPasswordHash } from './password.store.ts';

export interface FirstUser {
  readonly email: string;
  readonly passwordHash: string;
  /** Identifiers; those that are no teams are left out. */
  readonly teams?: readonly string[] | undefined;
}

/**
 * Creates the first user as an administrator, within the caller's unit of work; an existing user of the address is
 * promoted.
 */
export async function createFirstUser(
  { people }: Pick<SignInDeps, 'people'>,
  work: Work,
  { email, passwordHash, teams: teamIdentifiers }: FirstUser,
): Promise<void> {
  const { tx, actor, now } = work;
  const change = { roles: ['Admin'], status: 'Active', teamIdentifiers } as const;
  const known = await findAccount(tx, actor.orgId, email);
  if (known) await people.changeUser(work, known.identifier, change);
  else await people.createUser(work, { email, ...change });
  const account = await findAccount(tx, actor.orgId, email);
  if (!account) throw new Error(`The first user ${email} is not there after it was written`);
  await setPasswordHash(tx, actor.orgId, account.key, passwordHash, now);
}
