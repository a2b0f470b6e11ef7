import type { Actor } from '../../../platform/actor.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { nameKey, permitBinding, unchanged } from '../../accounts/index.ts';
import { type Binding, bindTeam, findProviderTeams } from '../provider-team.store.ts';
import type { SignInDeps } from '../sign-in.deps.ts';
import { toTeamName } from '../team-name.ts';
import { findGroup, findGroups, findMembers, type Page, type ScimGroupRow } from './scim.store.ts';
import { type Attributes, type PatchOperation, readObject, readText } from './scim-body.ts';
import { invalidValue, noResource, ScimError } from './scim-error.ts';
import type { Comparison } from './scim-filter.ts';

interface GroupWish {
  displayName?: string;
  externalId?: string | null;
  /** In order. */
  readonly moves: MemberMove[];
}

interface MemberMove {
  readonly how: 'add' | 'remove' | 'replace';
  readonly keys: readonly string[];
}

/**
 * Creates a group's team, or adopts a team of that name which no group has.
 * @throws ScimError uniqueness, invalidValue
 */
export function createScimGroup(deps: SignInDeps, actor: Actor, body: unknown): Promise<ScimGroupRow> {
  const wish = readGroup(readObject(body), { moves: [] }, 'replace');
  const { displayName, externalId = null } = wish;
  if (displayName === undefined) throw invalidValue('displayName is missing');
  const name = toTeamName(displayName);
  return deps.unitOfWork(actor, async (work) => {
    const ids = externalId === null ? [] : [externalId];
    const found = await findProviderTeams(work.tx, actor.orgId, ids, [name], [nameKey(name)]);
    if (found.some((team) => externalId !== null && team.externalId === externalId)) {
      throw new ScimError(409, 'Another group has this externalId', 'uniqueness');
    }
    const titled = found.find((team) => team.nameKey === nameKey(name));
    if (titled?.provider === 'scim') throw new ScimError(409, `There is a group "${titled.name}"`, 'uniqueness');
    const { key } = titled ?? (await deps.people.createTeam(work, { name }));
    return applyGroupMembers(deps, work, key, { ...wish, externalId });
  });
}

/** Replaces or patches. @throws ScimError 404, uniqueness, invalidValue */
export function changeScimGroup(deps: SignInDeps, actor: Actor, id: string, wish: GroupWish): Promise<ScimGroupRow> {
  return deps.unitOfWork(actor, async (work) => {
    if (!(await findGroup(work.tx, actor.orgId, id))) throw noResource('Group', id);
    return applyGroupMembers(deps, work, id, wish);
  });
}

export async function removeScimGroup({ unitOfWork, people }: SignInDeps, actor: Actor, id: string): Promise<void> {
  await unitOfWork(actor, async (work) => {
    const group = await findGroup(work.tx, actor.orgId, id);
    if (!group) throw noResource('Group', id);
    await people.deleteTeam(work, { key: id, identifier: group.identifier });
  });
}

export async function getScimGroup({ database }: SignInDeps, actor: Actor, id: string): Promise<ScimGroupRow> {
  const group = await findGroup(database, actor.orgId, id);
  if (!group) throw noResource('Group', id);
  return group;
}

export function listScimGroups(
  { database }: SignInDeps,
  actor: Actor,
  filter: readonly Comparison[],
  page: Page,
): ReturnType<typeof findGroups> {
  return findGroups(database, actor.orgId, filter, page);
}

/** Renaming a group changes the team's title only: its identifier and all references stay. */
async function applyGroupMembers(
  { people }: SignInDeps,
  work: Work,
  key: string,
  wish: GroupWish,
): Promise<ScimGroupRow> {
  const { tx, actor } = work;
  const before = await findGroup(tx, actor.orgId, key);
  if (!before) throw noResource('Group', key);
  const externalId = wish.externalId === undefined ? before.externalId : wish.externalId;
  const wanted: Binding = { provider: 'scim', externalId };
  // a bound team stays bound; giving it rights gives them to whomever the provider adds
  const binding = before.provider === null ? await permitBinding(work, wanted, key) : unchanged(wanted);
  const name = wish.displayName === undefined ? before.name : toTeamName(wish.displayName);
  const users = wish.moves.length === 0 ? undefined : await membersAfter(work, before, wish.moves);
  if (name !== before.name || users) {
    await people.changeTeam(work, before.identifier, {
      ...(name === before.name ? {} : { name }),
      ...(users ? { users } : {}),
    });
  }
  if (before.provider !== 'scim' || before.externalId !== externalId) {
    await bindTeam(tx, actor.orgId, key, binding);
    work.record({
      event: 'team.provisioned',
      action: 'UPDATE',
      resourceType: 'team',
      identifier: before.identifier,
      context: {},
      before: { provider: before.provider, externalId: before.externalId },
      after: { provider: 'scim', externalId },
    });
  }
  const after = await findGroup(tx, actor.orgId, key);
  if (!after) throw new Error(`The team ${key} is not there after it was written`);
  return after;
}

/** Members after the moves; service accounts, unknown to SCIM, stay. */
async function membersAfter(
  { tx, actor }: Work,
  { members }: ScimGroupRow,
  moves: readonly MemberMove[],
): Promise<string[]> {
  const people = members.filter(({ isPerson }) => isPerson).map(({ value }) => value);
  let keys = new Set(people);
  const wanted: string[] = [];
  for (const { how, keys: named } of moves) {
    if (how === 'replace') keys = new Set(named);
    else for (const key of named) how === 'add' ? keys.add(key) : keys.delete(key);
    if (how !== 'remove') wanted.push(...named);
  }
  const found = await findMembers(tx, actor.orgId, [...new Set([...keys, ...wanted])]);
  const missing = wanted.find((key) => !found.has(key));
  if (missing !== undefined) throw invalidValue(`members: there is no User with the id "${missing.slice(0, 200)}"`);
  const accounts = members.filter(({ isPerson }) => !isPerson).map(({ email }) => email);
  return [...[...keys].flatMap((key) => found.get(key) ?? []), ...accounts];
}

export function readGroupBody(body: unknown): GroupWish {
  const wish = readGroup(readObject(body), { moves: [] }, 'replace');
  if (wish.displayName === undefined) throw invalidValue('displayName is missing');
  return wish;
}

function readGroup(attributes: Attributes, wish: GroupWish, how: MemberMove['how']): GroupWish {
  for (const [name, value] of attributes) readAttribute(name, value, wish, how);
  return wish;
}

/** @throws ScimError invalidPath, noTarget, mutability */
export function readGroupPatch(operations: readonly PatchOperation[]): GroupWish {
  const wish: GroupWish = { moves: [] };
  for (const { op, path, rawPath, value } of operations) {
    const member = /^members\[\s*value\s+eq\s+"([^"]*)"\s*\]$/i.exec(rawPath)?.[1];
    if (member !== undefined && op === 'remove') wish.moves.push({ how: 'remove', keys: [member] });
    else if (path?.startsWith('members['))
      throw new ScimError(400, `The path "${rawPath}" cannot be read`, 'invalidPath');
    else if (path === 'members' && op === 'remove' && (value === undefined || value === null)) {
      wish.moves.push({ how: 'replace', keys: [] });
    } else if (path !== undefined) readAttribute(path, op === 'remove' && path !== 'members' ? null : value, wish, op);
    else readGroup(readObject(value, 'The value of an operation without a path'), wish, op);
  }
  return wish;
}

function readAttribute(name: string, value: unknown, wish: GroupWish, how: MemberMove['how']): void {
  if (name === 'externalid') wish.externalId = readText(value, 'externalId') ?? null;
  else if (name === 'displayname') {
    const text = readText(value, 'displayName', 200);
    if (!text) throw invalidValue('displayName must be a text that is not empty');
    wish.displayName = text;
  } else if (name === 'members') wish.moves.push({ how, keys: memberKeys(value) });
}

const membersMax = 20_000;

function memberKeys(value: unknown): string[] {
  const list = value === null || value === undefined ? [] : [value].flat();
  if (list.length > membersMax) throw new ScimError(400, `A group may have ${membersMax} members`, 'tooMany');
  const keys = list.map((each) => {
    const key = readText(readObject(each, 'Each of members').get('value'), 'members.value', 100);
    if (!key) throw invalidValue('members.value must be the id of a User');
    return key;
  });
  return [...new Set(keys)];
}
