import type { Reader } from '../../platform/db/database.ts';
import { computed, field, fields, type RowOf, row } from '../../platform/db/row.ts';

const personRow = row({
  ...fields('organizations', 'model'),
  ...fields('users', 'role'),
  userId: field('users', 'identifier').orNull(),
  userStatus: field('users', 'status').orNull(),
  moderatedBlueprints: field('users', 'moderated_blueprints').orNull(),
  teamKeys: computed.texts,
  scopes: computed.texts.orNull(),
});

const machineRow = row({
  ...fields('organizations', 'model'),
  ...fields('credentials', 'role', 'scopes'),
  userId: computed.text.orNull(),
  userStatus: computed.text.orNull(),
  moderatedBlueprints: computed.texts.orNull(),
  teamKeys: computed.texts,
});

type ActorRow = RowOf<typeof personRow> | RowOf<typeof machineRow>;

const userRow = row({
  ...fields('users', 'identifier', 'status', 'role', 'moderated_blueprints'),
  teamKeys: computed.texts,
});
type UserRow = RowOf<typeof userRow>;

/** What a person may do at this moment. */
export function findPersonRow(reader: Reader, orgId: string, identifier: string): Promise<ActorRow | undefined> {
  return reader.first(personRow.sql`
    select o.model, u.role, u.identifier as "userId", u.status as "userStatus",
      u.moderated_blueprints as "moderatedBlueprints", null as scopes,
      array(select m.team_key from team_members m where m.org_id = ${orgId} and m.user_key = u.key) as "teamKeys"
    from users u join organizations o on o.id = u.org_id
    where u.org_id = ${orgId} and u.identifier = ${identifier}`);
}

/** What credentials of no user may do at this moment. */
export function findMachineRow(reader: Reader, orgId: string, clientId: string): Promise<ActorRow | undefined> {
  return reader.first(machineRow.sql`
    select o.model, c.role, null as "userId", null as "userStatus", null as "moderatedBlueprints",
      array[]::text[] as "teamKeys", c.scopes
    from credentials c join organizations o on o.id = c.org_id
    where c.org_id = ${orgId} and c.client_id = ${clientId} and c.user_key is null and c.revoked_at is null`);
}

/** A user of any status. */
export function findUserRow(reader: Reader, orgId: string, identifier: string): Promise<UserRow | undefined> {
  return reader.first(userRow.sql`
    select u.identifier, u.status, u.role, u.moderated_blueprints as "moderatedBlueprints",
      array(select m.team_key from team_members m where m.org_id = ${orgId} and m.user_key = u.key) as "teamKeys"
    from users u where u.org_id = ${orgId} and u.identifier = ${identifier}`);
}

/** A person as forms and templates see them. */
export interface PersonFacts {
  readonly key: string;
  readonly identifier: string;
  readonly title: string | null;
  readonly status: string;
  readonly role: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly teams: readonly { readonly identifier: string; readonly title: string }[];
}

const personFacts = row({
  ...fields('users', 'key', 'identifier', 'title', 'status', 'role', 'created_at', 'updated_at'),
  teams: computed.json.as<readonly { readonly identifier: string; readonly title: string }[]>(),
});

export function findPersonFacts(reader: Reader, orgId: string, identifier: string): Promise<PersonFacts | undefined> {
  return reader.first(personFacts.sql`
    select u.key, u.identifier, u.title, u.status, u.role, u.created_at as "createdAt", u.updated_at as "updatedAt",
      coalesce((select jsonb_agg(jsonb_build_object('identifier', t.identifier, 'title', t.title) order by t.identifier)
        from team_members m join teams t on t.org_id = m.org_id and t.key = m.team_key
        where m.org_id = u.org_id and m.user_key = u.key), '[]') as teams
    from users u where u.org_id = ${orgId} and u.identifier = ${identifier}`);
}

const userIdentifier = row(fields('users', 'identifier'));

/** Enabled users named by role, address or team, ordered by address. */
export async function listNamedUsers(
  reader: Reader,
  orgId: string,
  grant: {
    readonly roles?: readonly string[];
    readonly users?: readonly string[];
    readonly teams?: readonly string[];
  },
): Promise<string[]> {
  const { roles = [], users = [], teams = [] } = grant;
  const moderated = roles.flatMap((role) => role.match(/^(.+)-moderator$/i)?.[1] ?? []);
  const rows = await reader.rows(userIdentifier.sql`
    select u.identifier from users u
    where u.org_id = ${orgId} and u.status <> 'Disabled' and (
      u.identifier = any(${users}) or u.role = any(${roles})
      or (u.role = 'Moderator' and u.moderated_blueprints && ${moderated}::text[])
      or exists (select 1 from team_members m
        where m.org_id = ${orgId} and m.user_key = u.key and m.team_key = any(${teams})))
    order by u.identifier`);
  return rows.map(({ identifier }) => identifier);
}
