import sql, { raw } from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { countRow, field, fields, type RowOf, row } from '../../platform/db/row.ts';
import type { Permitted } from './authority/permit.ts';
import type { NamedTeam, Person, PersonState } from './person.types.ts';

export const teamRow = row(fields('teams', 'key', 'identifier', 'title'));
export type TeamRow = RowOf<typeof teamRow>;

/** Teams with one of these titles or identifiers. */
export function findTeamsByName(reader: Reader, orgId: string, names: readonly string[]): Promise<TeamRow[]> {
  return reader.rows(teamRow.sql`
    select key, identifier, title from teams
    where org_id = ${orgId} and (identifier = any(${names}) or title = any(${names}))`);
}

/** Teams by identifier, for callers that cannot mean titles. */
export function findTeamsByIdentifier(
  reader: Reader,
  orgId: string,
  identifiers: readonly string[],
): Promise<TeamRow[]> {
  return reader.rows(
    teamRow.sql`select key, identifier, title from teams where org_id = ${orgId} and identifier = any(${identifiers})`,
  );
}

export function findTeamsByKey(reader: Reader, orgId: string, keys: readonly string[]): Promise<TeamRow[]> {
  if (keys.length === 0) return Promise.resolve([]);
  return reader.rows(
    teamRow.sql`select key, identifier, title from teams where org_id = ${orgId} and key = any(${keys})`,
  );
}

const teamState = row(fields('teams', 'key', 'identifier', 'title', 'description'));
export type TeamState = RowOf<typeof teamState>;

/** The team, locked for the transaction. */
export function lockTeam(tx: Tx, orgId: string, identifier: string): Promise<TeamState | undefined> {
  return tx.first(teamState.sql`
    select key, identifier, title, description from teams
    where org_id = ${orgId} and identifier = ${identifier} for no key update`);
}

const namedRow = row({ ...fields('teams', 'identifier', 'title'), nameKey: field('teams', 'name_key').notNull() });

/** Teams with one of these names, ignoring case and width (`nameKey`). */
export function findTeamsByNameKey(
  reader: Reader,
  orgId: string,
  nameKeys: readonly string[],
): Promise<{ readonly nameKey: string; readonly identifier: string; readonly title: string }[]> {
  return reader.rows(namedRow.sql`
    select name_key as "nameKey", identifier, title from teams where org_id = ${orgId} and name_key = any(${nameKeys})`);
}

/** @throws DatabaseError with constraint `teams_name_key` if another team has the name */
export async function upsertTeam(
  tx: Tx,
  { identifier, title, description }: Permitted<NamedTeam>,
  { orgId, key, nameKey, at }: RowKeys & { readonly nameKey: string },
): Promise<void> {
  // duplicates from before names had to differ stay until their name changes
  await tx.execute(sql`
    insert into teams (org_id, key, identifier, title, name_key, description, created_at, updated_at)
    values (${orgId}, ${key}, ${identifier}, ${title}, ${nameKey}, ${description}, ${at}, ${at})
    on conflict (org_id, identifier)
    do update set title = excluded.title, description = excluded.description, updated_at = excluded.updated_at,
      name_key = case when teams.title = excluded.title then teams.name_key else excluded.name_key end`);
}

export async function renameTeamRow(tx: Tx, orgId: string, from: string, to: Permitted<NamedTeam>): Promise<void> {
  await tx.execute(
    sql`update teams set identifier = ${to.identifier} where org_id = ${orgId} and identifier = ${from}`,
  );
}

/** Returns the keys of the deleted teams. */
export async function deleteTeamRows(tx: Tx, orgId: string, identifiers: readonly string[]): Promise<TeamState[]> {
  const gone = await tx.rows(teamState.sql`
    delete from teams where org_id = ${orgId} and identifier = any(${identifiers})
    returning key, identifier, title, description`);
  await tx.execute(sql`
    delete from team_members where org_id = ${orgId} and team_key = any(${gone.map(({ key }) => key)})`);
  return gone;
}

const personState = row(fields('users', 'identifier', 'title', 'status', 'role', 'type', 'moderated_blueprints'));

/** Fields of a row that people do not write. */
interface RowKeys {
  readonly orgId: string;
  /** For a new row; an existing one keeps its key. */
  readonly key: string;
  readonly at: Date;
}

const personColumns = raw('identifier, title, status, role, type, moderated_blueprints as "moderatedBlueprints"');

const membershipRow = row({ key: field('team_members', 'team_key') });

const lockedPerson = row({ ...personState.fields, ...fields('users', 'key') });

/** The user with the keys of their teams, locked for the transaction. */
export async function lockPerson(
  tx: Tx,
  orgId: string,
  identifier: string,
): Promise<(PersonState & { readonly key: string; readonly teamRefs: readonly string[] }) | undefined> {
  const user = await tx.first(lockedPerson.sql`
    select key, ${personColumns} from users
    where org_id = ${orgId} and identifier = ${identifier} for no key update`);
  if (!user) return undefined;
  const memberships = await tx.rows(membershipRow.sql`
    select team_key as key from team_members where org_id = ${orgId} and user_key = ${user.key} order by team_key`);
  return { ...user, teamRefs: memberships.map(({ key }) => key) };
}

const addressRow = row({
  ...fields('users', 'identifier', 'managed_by'),
  addressKey: field('users', 'address_key').notNull(),
});

/** Used addresses equal to one of these, ignoring case and width (`nameKey`). */
export function findAddresses(
  reader: Reader,
  orgId: string,
  addressKeys: readonly string[],
): Promise<{ readonly addressKey: string; readonly identifier: string; readonly managedBy: string | null }[]> {
  return reader.rows(addressRow.sql`
    select address_key as "addressKey", identifier, managed_by as "managedBy" from users
    where org_id = ${orgId} and address_key = any(${addressKeys})`);
}

/** Serializes changes of administrators, seats and new users. */
export async function lockPeople(tx: Tx, orgId: string): Promise<void> {
  await tx.rows(sql`select pg_advisory_xact_lock(4771005, hashtext(${orgId}))`);
}

const administratorRow = row(fields('users', 'identifier', 'status'));

/** Enabled administrators who are people. */
export function listAdministrators(
  reader: Reader,
  orgId: string,
): Promise<{ readonly identifier: string; readonly status: string }[]> {
  return reader.rows(administratorRow.sql`
    select identifier, status from users
    where org_id = ${orgId} and role = 'Admin' and type = 'Standard' and status <> 'Disabled'`);
}

/** Counts people invited or active. */
export async function countSeats(reader: Reader, orgId: string): Promise<number> {
  const row = await reader.first(countRow.sql`
    select count(*)::int as count from users
    where org_id = ${orgId} and type = 'Standard' and status in ('Active', 'Invited')`);
  return row?.count ?? 0;
}

const userKeyRow = row(fields('users', 'key'));

/**
 * Writes the user and returns its key, new or old. A changed title clears first and last name.
 * @throws DatabaseError with constraint `users_address_key` if another user has the address
 */
export async function upsertUser(
  tx: Tx,
  user: Permitted<Person>,
  { orgId, key, addressKey, at }: RowKeys & { readonly addressKey: string },
): Promise<string> {
  const row = await tx.first(userKeyRow.sql`
    insert into users as u (org_id, key, identifier, address_key, title, status, role, type, moderated_blueprints,
      created_at, updated_at)
    values (${orgId}, ${key}, ${user.identifier}, ${addressKey}, ${user.title}, ${user.status},
      ${user.role}, ${user.type}, ${user.moderatedBlueprints}, ${at}, ${at})
    on conflict (org_id, identifier) do update set title = excluded.title, status = excluded.status,
      first_name = case when u.title is distinct from excluded.title then null else u.first_name end,
      last_name = case when u.title is distinct from excluded.title then null else u.last_name end,
      role = excluded.role, type = excluded.type, moderated_blueprints = excluded.moderated_blueprints,
      updated_at = excluded.updated_at, disabled_at = case when u.status <> 'Disabled' and excluded.status = 'Disabled'
        then excluded.updated_at else u.disabled_at end
    returning key`);
  return row?.key ?? key;
}

export interface PersonNames {
  readonly firstName: string | null;
  readonly lastName: string | null;
}

/** Stores first and last name beside the title. */
export async function setNames(tx: Tx, orgId: string, identifier: string, names: PersonNames): Promise<void> {
  await tx.execute(sql`
    update users set first_name = ${names.firstName}, last_name = ${names.lastName}
    where org_id = ${orgId} and identifier = ${identifier}`);
}

export async function setMemberships(
  tx: Tx,
  orgId: string,
  userKey: string,
  { teamKeys }: Permitted<Person>,
): Promise<void> {
  await tx.execute(sql`
    delete from team_members where org_id = ${orgId} and user_key = ${userKey} and not (team_key = any(${teamKeys}))`);
  await tx.execute(sql`
    insert into team_members (org_id, team_key, user_key, position)
    select ${orgId}, t.key, ${userKey},
      (select coalesce(max(m.position), 0) + 1 from team_members m where m.org_id = ${orgId} and m.team_key = t.key)
    from teams t where t.org_id = ${orgId} and t.key = any(${teamKeys})
    on conflict do nothing`);
}

/** Sets the order of members; later ones come after them. */
export async function orderMembers(tx: Tx, orgId: string, teamKey: string, userKeys: readonly string[]): Promise<void> {
  await tx.execute(sql`
    update team_members m set position = o.position
    from unnest(${userKeys}::text[]) with ordinality as o(user_key, position)
    where m.org_id = ${orgId} and m.team_key = ${teamKey} and m.user_key = o.user_key`);
}

export async function deleteUserRow(tx: Tx, orgId: string, identifier: string): Promise<void> {
  await tx.execute(sql`
    update credentials c set revoked_at = now() from users u
    where u.org_id = ${orgId} and u.identifier = ${identifier} and c.org_id = u.org_id and c.user_key = u.key
      and c.revoked_at is null`);
  await tx.execute(sql`
    delete from team_members m using users u
    where u.org_id = ${orgId} and u.identifier = ${identifier} and m.org_id = u.org_id and m.user_key = u.key`);
  await tx.execute(sql`delete from users where org_id = ${orgId} and identifier = ${identifier}`);
}

const teamTitle = row(fields('teams', 'title'));

/** Titles of those teams whose members the identity provider decides. */
export async function findProvidedTeams(reader: Reader, orgId: string, keys: readonly string[]): Promise<string[]> {
  const rows = await reader.rows(teamTitle.sql`
    select title from teams where org_id = ${orgId} and key = any(${keys}) and provider is not null order by title`);
  return rows.map(({ title }) => title);
}

/** Keeps moderators when their blueprint is renamed. */
export async function renameModerated(tx: Tx, orgId: string, from: string, to: string): Promise<void> {
  await tx.execute(sql`
    update users set moderated_blueprints = array_replace(moderated_blueprints, ${from}, ${to})
    where org_id = ${orgId} and ${from} = any(moderated_blueprints)`);
}

/** Removes the blueprint from everybody's moderated ones. */
export async function removeModeratedBlueprint(tx: Tx, orgId: string, blueprint: string): Promise<void> {
  await tx.execute(sql`
    update users set moderated_blueprints = array_remove(moderated_blueprints, ${blueprint})
    where org_id = ${orgId} and ${blueprint} = any(moderated_blueprints)`);
}

const keyedUser = row(fields('users', 'key', 'identifier'));

/** People by key, with their addresses. */
export function findUsersByKey(
  reader: Reader,
  orgId: string,
  keys: readonly string[],
): Promise<{ readonly key: string; readonly identifier: string }[]> {
  if (keys.length === 0) return Promise.resolve([]);
  return reader.rows(keyedUser.sql`select key, identifier from users where org_id = ${orgId} and key = any(${keys})`);
}

/** A user's row, in any model. */
export function findUser(reader: Reader, orgId: string, identifier: string): Promise<PersonState | undefined> {
  return reader.first(personState.sql`
    select ${personColumns} from users where org_id = ${orgId} and identifier = ${identifier}`);
}
