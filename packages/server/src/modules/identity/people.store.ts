import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';

export interface TeamRow {
  readonly key: string;
  readonly identifier: string;
  readonly title: string;
}

/** The teams with one of these titles or identifiers. */
export function findTeamsByName(reader: Reader, orgId: string, names: readonly string[]): Promise<TeamRow[]> {
  return reader.rows<TeamRow>(sql`
    select key, identifier, title from teams
    where org_id = ${orgId} and (identifier = any(${names}) or title = any(${names}))`);
}

export function findTeamsByKey(reader: Reader, orgId: string, keys: readonly string[]): Promise<TeamRow[]> {
  return reader.rows<TeamRow>(
    sql`select key, identifier, title from teams where org_id = ${orgId} and key = any(${keys})`,
  );
}

export async function upsertTeam(
  tx: Tx,
  team: {
    readonly orgId: string;
    readonly key: string;
    readonly identifier: string;
    readonly title: string;
    readonly description: string | null;
    readonly at: Date;
  },
): Promise<void> {
  const { orgId, key, identifier, title, description, at } = team;
  await tx.execute(sql`
    insert into teams (org_id, key, identifier, title, description, created_at, updated_at)
    values (${orgId}, ${key}, ${identifier}, ${title}, ${description}, ${at}, ${at})
    on conflict (org_id, identifier)
    do update set title = excluded.title, description = excluded.description, updated_at = excluded.updated_at`);
}

export async function renameTeamRow(tx: Tx, orgId: string, from: string, to: string): Promise<void> {
  await tx.execute(sql`update teams set identifier = ${to} where org_id = ${orgId} and identifier = ${from}`);
}

/** Answers the keys that are gone. */
export async function deleteTeamRows(tx: Tx, orgId: string, identifiers: readonly string[]): Promise<string[]> {
  const rows = await tx.rows<{ key: string }>(
    sql`delete from teams where org_id = ${orgId} and identifier = any(${identifiers}) returning key`,
  );
  const keys = rows.map(({ key }) => key);
  await tx.execute(sql`delete from team_members where org_id = ${orgId} and team_key = any(${keys})`);
  return keys;
}

export interface UserRow {
  readonly orgId: string;
  readonly key: string;
  readonly identifier: string;
  readonly title: string | null;
  readonly status: string;
  readonly role: string;
  readonly type: string;
  readonly moderatedBlueprints: readonly string[];
}

/** Writes the user and answers the key it has, new or old. */
export async function upsertUser(tx: Tx, user: UserRow & { readonly at: Date }): Promise<string> {
  const row = await tx.first<{ key: string }>(sql`
    insert into users (org_id, key, identifier, title, status, role, type, moderated_blueprints, created_at, updated_at)
    values (${user.orgId}, ${user.key}, ${user.identifier}, ${user.title}, ${user.status}, ${user.role}, ${user.type},
      ${user.moderatedBlueprints}, ${user.at}, ${user.at})
    on conflict (org_id, identifier) do update set title = excluded.title, status = excluded.status,
      role = excluded.role, type = excluded.type, moderated_blueprints = excluded.moderated_blueprints,
      updated_at = excluded.updated_at
    returning key`);
  return row?.key ?? user.key;
}

export async function setMemberships(
  tx: Tx,
  orgId: string,
  userKey: string,
  teamKeys: readonly string[],
): Promise<void> {
  await tx.execute(sql`
    delete from team_members where org_id = ${orgId} and user_key = ${userKey} and not (team_key = any(${teamKeys}))`);
  await tx.execute(sql`
    insert into team_members (org_id, team_key, user_key)
    select ${orgId}, t.key, ${userKey} from teams t where t.org_id = ${orgId} and t.key = any(${teamKeys})
    on conflict do nothing`);
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

/** Moderators of a blueprint moderate it under its new name. */
export async function renameModerated(tx: Tx, orgId: string, from: string, to: string): Promise<void> {
  await tx.execute(sql`
    update users set moderated_blueprints = array_replace(moderated_blueprints, ${from}, ${to})
    where org_id = ${orgId} and ${from} = any(moderated_blueprints)`);
}
