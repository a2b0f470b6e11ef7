import { userAddress } from '@portolan/contract/wire';
import type { Actor } from '../../../platform/actor.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { nameKey } from '../../accounts/index.ts';
import type { SignInDeps } from '../sign-in.deps.ts';
import { findScimUser, findUsers, manageUser, type Page, type ScimUserRow } from './scim.store.ts';
import { type Attributes, type PatchOperation, readBoolean, readObject, readText } from './scim-body.ts';
import { invalidValue, noResource, ScimError } from './scim-error.ts';
import type { Comparison } from './scim-filter.ts';

/** Undefined members were not sent. */
export interface UserWish {
  userName?: string;
  externalId?: string | null;
  active?: boolean;
  givenName?: string | null;
  familyName?: string | null;
  displayName?: string | null;
}

/** @throws ScimError uniqueness, invalidValue */
export function createScimUser({ unitOfWork, people }: SignInDeps, actor: Actor, body: unknown): Promise<ScimUserRow> {
  const wish = readUser(readObject(body), {});
  const email = wish.userName;
  if (email === undefined) throw invalidValue('userName is missing; it is the e-mail address');
  return unitOfWork(actor, async (work) => {
    const status = wish.active === false ? 'Disabled' : 'Staged';
    const { key } = await people.createUser(work, { email, status, ...nextNames(wish, undefined) });
    return manage(work, key, wish);
  });
}

/**
 * Replaces or patches; attributes not sent stay.
 * @throws ScimError 404, mutability, invalidValue
 */
export function changeScimUser(deps: SignInDeps, actor: Actor, id: string, wish: UserWish): Promise<ScimUserRow> {
  return deps.unitOfWork(actor, async (work) => {
    const before = await findScimUser(work.tx, actor.orgId, id);
    if (!before) throw noResource('User', id);
    if (wish.userName !== undefined && nameKey(wish.userName) !== nameKey(before.identifier)) {
      throw new ScimError(400, 'userName cannot change: it is how everything here names the user', 'mutability');
    }
    const status = nextStatus(wish, before);
    const change = { ...nextNames(wish, before), ...(status ? { status } : {}) };
    if (Object.keys(change).length > 0) await deps.people.changeUser(work, before.identifier, change);
    return manage(work, id, wish, before);
  });
}

export async function removeScimUser({ unitOfWork, people }: SignInDeps, actor: Actor, id: string): Promise<void> {
  await unitOfWork(actor, async (work) => {
    const user = await findScimUser(work.tx, actor.orgId, id);
    if (!user) throw noResource('User', id);
    await people.removeUser(work, user.identifier);
  });
}

export async function getScimUser({ database }: SignInDeps, actor: Actor, id: string): Promise<ScimUserRow> {
  const user = await findScimUser(database, actor.orgId, id);
  if (!user) throw noResource('User', id);
  return user;
}

export function listScimUsers(
  { database }: SignInDeps,
  actor: Actor,
  filter: readonly Comparison[],
  page: Page,
): ReturnType<typeof findUsers> {
  return findUsers(database, actor.orgId, filter, page);
}

async function manage(work: Work, key: string, wish: UserWish, before?: ScimUserRow): Promise<ScimUserRow> {
  const { tx, actor, now } = work;
  const externalId = wish.externalId === undefined ? (before?.externalId ?? null) : wish.externalId;
  await manageUser(tx, actor.orgId, key, { externalId, at: now });
  const after = await findScimUser(tx, actor.orgId, key);
  if (!after) throw new Error(`The user ${key} is not there after it was written`);
  if (before?.managedBy !== 'scim' || before.externalId !== externalId) {
    work.record({
      event: 'user.provisioned',
      action: 'UPDATE',
      resourceType: 'user',
      identifier: after.identifier,
      context: {},
      ...(before ? { before: { managedBy: before.managedBy, externalId: before.externalId } } : {}),
      after: { managedBy: 'scim', externalId },
    });
  }
  return after;
}

function nextStatus({ active }: UserWish, { status, lastLoginAt }: ScimUserRow) {
  if (active === undefined || active === (status !== 'Disabled')) return undefined;
  if (!active) return 'Disabled' as const;
  return lastLoginAt ? ('Active' as const) : ('Staged' as const);
}

function nextNames({ givenName, familyName, displayName }: UserWish, before: ScimUserRow | undefined) {
  const isApart = givenName !== undefined || familyName !== undefined;
  if (!isApart && (displayName === undefined || displayName === (before?.title ?? null))) return {};
  const firstName = givenName === undefined ? (before?.firstName ?? null) : givenName;
  const lastName = familyName === undefined ? (before?.lastName ?? null) : familyName;
  const names =
    isApart && (firstName || lastName) ? { firstName, lastName } : { firstName: displayName ?? null, lastName: null };
  const isSame = before && names.firstName === before.firstName && names.lastName === before.lastName;
  return isSame ? {} : { names };
}

/** Attributes the portal does not store are ignored. */
export function readUser(attributes: Attributes, wish: UserWish): UserWish {
  for (const [name, value] of attributes) readAttribute(name, value, wish);
  return wish;
}

export function readUserPatch(operations: readonly PatchOperation[]): UserWish {
  const wish: UserWish = {};
  for (const { op, path, value } of operations) {
    if (path !== undefined) readAttribute(path, op === 'remove' ? null : value, wish);
    else readUser(readObject(value, 'The value of an operation without a path'), wish);
  }
  return wish;
}

function readAttribute(name: string, value: unknown, wish: UserWish): void {
  switch (name) {
    case 'username':
      wish.userName = parseAddress(value);
      return;
    case 'externalid':
      wish.externalId = readText(value, 'externalId') ?? null;
      return;
    case 'active':
      wish.active = readBoolean(value, 'active') ?? true;
      return;
    case 'displayname':
    case 'name.formatted':
      wish.displayName = readText(value, name, 500) ?? null;
      return;
    case 'name.givenname':
      wish.givenName = readText(value, 'name.givenName', 250) ?? null;
      return;
    case 'name.familyname':
      wish.familyName = readText(value, 'name.familyName', 250) ?? null;
      return;
    case 'name':
      if (value === null || value === undefined) {
        readAttribute('name.givenname', null, wish);
        readAttribute('name.familyname', null, wish);
      } else for (const [part, each] of readObject(value, 'name')) nameParts(part, each, wish);
      return;
    default:
      return;
  }
}

function nameParts(part: string, value: unknown, wish: UserWish): void {
  // parts of the name win over the whole, and `displayName` wins over both
  if (part === 'formatted' && wish.displayName !== undefined) return;
  readAttribute(`name.${part}`, value, wish);
}

function parseAddress(value: unknown): string {
  const address = readText(value, 'userName', 320);
  if (address && userAddress.safeParse(address).success) return address;
  throw invalidValue('userName must be the e-mail address of the user');
}
