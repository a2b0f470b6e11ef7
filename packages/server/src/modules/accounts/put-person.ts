import { DatabaseError } from '../../platform/db/database-error.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { holdModel } from '../organizations/index.ts';
import type { Permitted } from './authority/permit.ts';
import { nameKey } from './name-key.ts';
import { deleteUserRow, findProvidedTeams, lockPerson, setMemberships, upsertUser } from './people.store.ts';
import type { Person, PersonState } from './person.types.ts';

/**
 * Creates or changes a user with memberships, within the caller's unit of work; the key stays. `permitPerson` and
 * `personRules` decide whether it may be.
 */
export async function putPerson(work: Work, person: Permitted<Person>): Promise<void> {
  const { tx, actor, now } = work;
  const { teamKeys, ...user } = person;
  await holdModel(work);
  const before = await lockPerson(tx, actor.orgId, user.identifier);
  await permitMemberships(work, before?.teamRefs ?? [], teamKeys);
  const key = await retryOnConflict('users_address_key', () =>
    upsertUser(tx, person, {
      orgId: actor.orgId,
      key: newId('u_'),
      addressKey: nameKey(user.identifier),
      at: now,
    }),
  );
  await setMemberships(tx, actor.orgId, key, person);
  work.record({
    event: before ? 'user.updated' : 'user.created',
    action: before ? 'UPDATE' : 'CREATE',
    resourceType: 'user',
    identifier: user.identifier,
    context: {},
    ...(before ? { before: recorded(before, before.teamRefs) } : {}),
    after: recorded(user, [...teamKeys].sort()),
  });
}

/** Also removes memberships and revokes credentials. */
export async function removePerson(work: Work, identifier: string): Promise<void> {
  const { tx, actor } = work;
  await holdModel(work);
  const before = await lockPerson(tx, actor.orgId, identifier);
  if (!before) return;
  await deleteUserRow(tx, actor.orgId, identifier);
  work.record({
    event: 'user.deleted',
    action: 'DELETE',
    resourceType: 'user',
    identifier,
    context: {},
    before: recorded(before, before.teamRefs),
  });
}

/**
 * The identity provider decides members of its teams: a change here would be undone at the next sign-in. @throws
 * AppError `managed_field`
 */
async function permitMemberships(
  { tx, actor }: Work,
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  if (actor.provisioner || actor.kind === 'system') return;
  const changed = [...before.filter((key) => !after.includes(key)), ...after.filter((key) => !before.includes(key))];
  const [team] = changed.length === 0 ? [] : await findProvidedTeams(tx, actor.orgId, changed);
  if (team === undefined) return;
  throw new AppError(
    'managed_field',
    `The members of the team "${team}" come from the identity provider; change them there`,
  );
}

/** If somebody took the name since the rules ran, repeats the transaction. */
export async function retryOnConflict<T>(constraint: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.constraint !== constraint) throw error;
    throw new DatabaseError('the name was taken meanwhile', '40001', constraint, error);
  }
}

function recorded(
  { title, status, role, type, moderatedBlueprints }: PersonState,
  teamRefs: readonly string[],
): Record<string, unknown> {
  return { title, status, role, type, moderatedBlueprints, teamRefs };
}
