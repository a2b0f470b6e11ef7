import { userAddress } from '@portolan/contract/wire';
import { AppError } from '../../../platform/errors.ts';
import { isBadText } from '../../../platform/http/read-json.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import {
  type Account,
  findAccount,
  findAccountByKey,
  findModel,
  findProvidedNames,
  maySignIn,
  setPicture,
} from '../account.store.ts';
import { provisioningActor } from '../provisioner.ts';
import { type Browser, openSession } from '../sessions/open-session.ts';
import type { SignInDeps } from '../sign-in.deps.ts';
import type { Claims } from './claims.ts';
import { type Connection, findSubject, linkSubject } from './connection.store.ts';
import { teamsOfGroups } from './teams-of-groups.ts';

interface Person {
  readonly subject: string;
  readonly email: string;
  readonly names: { readonly firstName: string | null; readonly lastName: string | null } | undefined;
  readonly picture: string | undefined;
  /** Undefined if the provider sends no groups. */
  readonly groups: readonly string[] | undefined;
}

/**
 * Signs in a user the provider has authenticated and returns the session cookie. Creates the user if needed and
 * updates name and teams in the same transaction as the session.
 * @throws AppError `sign_in_refused`, `user_limit_reached`
 */
export async function provisionUser(
  deps: SignInDeps,
  orgId: string,
  connection: Connection,
  claims: Claims,
  browser: Browser,
): Promise<string> {
  const person = readClaims(claims, connection);
  const model = await findModel(deps.database, orgId);
  if (!model) throw refused('The organization is gone');
  const actor = {
    ...provisioningActor({ orgId, model }, 'sso'),
    kind: 'person' as const,
    id: person.email,
    datasource: browser.userAgent.slice(0, 1000),
    origin: 'UI' as const,
  };
  return deps.unitOfWork(actor, async (outer) => {
    // recorded as done by the user, but with the provider's rights
    const work = { ...outer, actor: provisioningActor({ orgId, model }, 'sso') };
    const account = await resolveAccount(deps, work, connection, person);
    await follow(deps, work, connection, account, person);
    const current = (await findAccountByKey(work.tx, orgId, account.key)) ?? account;
    return openSession(deps, outer, current, 'sso', browser);
  });
}

async function resolveAccount(
  deps: SignInDeps,
  work: Work,
  { issuer, createsUsers }: Connection,
  person: Person,
): Promise<Account> {
  const { tx, now } = work;
  const { orgId } = work.actor;
  const linked = await findSubject(tx, orgId, issuer, person.subject);
  const known = linked ? await findAccountByKey(tx, orgId, linked) : await findAccount(tx, orgId, person.email);
  if (known && !maySignIn(known)) throw refused('This account may not sign in; ask an administrator');
  if (!known && !createsUsers)
    throw refused('There is no account for this address; ask an administrator to invite you');
  if (!known) await deps.people.createUser(work, { email: person.email, status: 'Active' });
  const account = known ?? (await findAccount(tx, orgId, person.email));
  if (!account) throw new Error(`The user ${person.email} is not there after it was written`);
  const link = { issuer, subject: person.subject, userKey: account.key, at: now };
  if (!linked && !(await linkSubject(tx, orgId, link))) {
    throw refused('This address belongs to another account of the identity provider; ask an administrator');
  }
  if (!linked) {
    work.record({
      event: 'user.linked',
      action: 'UPDATE',
      resourceType: 'user',
      identifier: account.identifier,
      context: {},
      after: { issuer, subject: person.subject },
    });
  }
  return account;
}

async function follow(
  { people }: SignInDeps,
  work: Work,
  connection: Connection,
  account: Account,
  { names, picture, groups }: Person,
): Promise<void> {
  const { tx, actor } = work;
  const { orgId } = actor;
  const stored = await findProvidedNames(tx, orgId, account.key);
  const isRenamed =
    names && !stored?.isManaged && (names.firstName !== stored?.firstName || names.lastName !== stored?.lastName);
  const teamIdentifiers = groups && (await teamsOfGroups(people, work, connection, account.key, groups));
  if (isRenamed || teamIdentifiers) {
    await people.changeUser(work, account.identifier, { ...(isRenamed ? { names } : {}), teamIdentifiers });
  }
  if (picture !== undefined && !stored?.isManaged) {
    await setPicture(tx, orgId, account.key, picture);
  }
}

/** @throws AppError `sign_in_refused` for an address that is missing, unverified or of another domain */
function readClaims(claims: Claims, { domains, groupsClaim }: Connection): Person {
  const email = typeof claims['email'] === 'string' ? claims['email'].trim() : '';
  if (!userAddress.safeParse(email).success) {
    throw refused('The identity provider does not say which e-mail address you have');
  }
  if (['false', false].includes(claims['email_verified'] as string | boolean)) {
    throw refused('The identity provider has not verified your e-mail address');
  }
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  if (domains.length > 0 && !domains.includes(domain)) {
    throw refused(`Addresses of ${domain} may not sign in to this organization`);
  }
  const firstName = parseText(claims['given_name']);
  const lastName = parseText(claims['family_name']);
  const whole = parseText(claims['name']);
  const names =
    firstName || lastName ? { firstName, lastName } : whole ? { firstName: whole, lastName: null } : undefined;
  const picture = parseText(claims['picture']) ?? undefined;
  return {
    subject: claims.sub.slice(0, 1000),
    email,
    names,
    picture: picture && /^https:\/\//.test(picture) ? picture : undefined,
    groups: parseGroups(claims[groupsClaim]),
  };
}

const groupsMax = 1000;

function parseGroups(claim: unknown): readonly string[] | undefined {
  if (claim === undefined || claim === null) return undefined;
  const groups = [claim].flat().flatMap((each) => parseText(each) ?? []);
  return [...new Set(groups)].slice(0, groupsMax);
}

function parseText(claim: unknown): string | null {
  // text that the database cannot store counts as missing
  const text = typeof claim === 'string' && !isBadText(claim) ? claim.trim() : '';
  return text === '' || text.length > 500 ? null : text;
}

function refused(message: string): AppError {
  return new AppError('sign_in_refused', message);
}
