import sql, { raw, type Sql } from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { computed, field, fields, type RowOf, row } from '../../platform/db/row.ts';

const teamRow = row({
  ...fields('teams', 'key', 'identifier', 'description', 'created_at', 'updated_at'),
  name: field('teams', 'title'),
});
export type TeamRow = RowOf<typeof teamRow>;

export interface Member {
  readonly key: string;
  readonly email: string;
  readonly title: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly picture: string | null;
  readonly status: string;
}

export interface TeamWithMembers extends TeamRow {
  /** In the order given. */
  readonly members: readonly Member[];
}

const columns = raw(`t.key, t.identifier, t.title as name, t.description, t.created_at as "createdAt",
  t.updated_at as "updatedAt"`);

const members = raw(`coalesce((
    select jsonb_agg(jsonb_build_object('key', u.key, 'email', u.identifier, 'title', u.title, 'status', u.status,
      'firstName', u.first_name, 'lastName', u.last_name, 'picture', u.picture) order by m.position, u.identifier)
    from team_members m join users u on u.org_id = m.org_id and u.key = m.user_key
    where m.org_id = t.org_id and m.team_key = t.key), '[]') as members`);

const teamWithMembers = row({
  ...fields('teams', 'key', 'identifier', 'description', 'created_at', 'updated_at'),
  members: computed.json.as<readonly Member[]>(),
  name: field('teams', 'title'),
});

function selectTeams(reader: Reader, orgId: string, condition: Sql): Promise<TeamWithMembers[]> {
  return reader.rows(teamWithMembers.sql`
    select ${columns}, ${members} from teams t where t.org_id = ${orgId} and ${condition}
    order by t.created_at, t.key`);
}

export function listTeamRows(reader: Reader, orgId: string): Promise<TeamWithMembers[]> {
  return selectTeams(reader, orgId, sql`true`);
}

export function findTeamsOfName(reader: Reader, orgId: string, name: string): Promise<TeamWithMembers[]> {
  return selectTeams(reader, orgId, sql`(t.title = ${name} or t.identifier = ${name})`);
}

export async function findTeamByIdentifier(
  reader: Reader,
  orgId: string,
  identifier: string,
): Promise<TeamWithMembers | undefined> {
  const [team] = await selectTeams(reader, orgId, sql`t.identifier = ${identifier}`);
  return team;
}

export function findTeamsNamed(reader: Reader, orgId: string, names: readonly string[]): Promise<TeamRow[]> {
  return reader.rows(teamRow.sql`
    select ${columns} from teams t
    where t.org_id = ${orgId} and (t.title = any(${names}) or t.identifier = any(${names}))
    order by t.created_at, t.key`);
}

/** Serializes the choice of identifiers for new teams. */
export async function lockTeamIdentifiers(tx: Tx, orgId: string): Promise<void> {
  await tx.rows(sql`select pg_advisory_xact_lock(4771008, hashtext(${orgId}))`);
}

/** Identifiers in use as a team's identifier or title. */
export async function usedIdentifiers(
  reader: Reader,
  orgId: string,
  identifiers: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await findTeamsNamed(reader, orgId, identifiers);
  return new Set(rows.flatMap(({ identifier, name }) => [identifier, name]));
}

const teamUse = row({
  ownedEntities: computed.number,
  blueprintPermissions: computed.number,
  members: computed.number,
});
export type TeamUse = RowOf<typeof teamUse>;

/** References to a team: entities it owns except users, rights that name it, members. */
export async function countTeamUse(reader: Reader, orgId: string, key: string): Promise<TeamUse> {
  const row = await reader.first(teamUse.sql`
    select
      (select count(*)::int from entities e join blueprints b on b.org_id = e.org_id and b.key = e.blueprint_key
        where e.org_id = ${orgId} and e.own_team_refs && array[${key}]::text[] and b.identifier <> '_user')
        as "ownedEntities",
      (select count(*)::int from blueprints b where b.org_id = ${orgId}
        and b.permissions::text like '%"' || ${key} || '"%') as "blueprintPermissions",
      (select count(*)::int from team_members m where m.org_id = ${orgId} and m.team_key = ${key}) as members`);
  return row ?? { ownedEntities: 0, blueprintPermissions: 0, members: 0 };
}
