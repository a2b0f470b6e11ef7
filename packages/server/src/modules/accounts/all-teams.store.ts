import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { computed, countRow, fields, type RowOf, row } from '../../platform/db/row.ts';
import { type TeamRow, teamRow } from './people.store.ts';

/** All teams, oldest first. */
export function listAllTeams(reader: Reader, orgId: string): Promise<TeamRow[]> {
  return reader.rows(
    teamRow.sql`select key, identifier, title from teams where org_id = ${orgId} order by created_at, key`,
  );
}

/** Counts users of any status. */
export async function countUsers(reader: Reader, orgId: string): Promise<number> {
  const row = await reader.first(countRow.sql`select count(*)::int as count from users where org_id = ${orgId}`);
  return row?.count ?? 0;
}

/** Sets identifiers all at once: two teams may swap theirs. */
export async function setTeamIdentifiers(tx: Tx, orgId: string, byKey: ReadonlyMap<string, string>): Promise<void> {
  if (byKey.size === 0) return;
  const keys = [...byKey.keys()];
  // uniqueness is checked row by row, so identifiers go to temporary values first
  await tx.execute(sql`
    update teams set identifier = '?' || key where org_id = ${orgId} and key = any(${keys})`);
  await tx.execute(sql`
    update teams t set identifier = n.identifier
    from unnest(${keys}::text[], ${[...byKey.values()]}::text[]) as n(key, identifier)
    where t.org_id = ${orgId} and t.key = n.key`);
}

const personStanding = row({
  ...fields('users', 'identifier', 'role', 'moderated_blueprints'),
  teamKeys: computed.texts,
});

/** A person's rights, for comparison and not for acting. */
export type PersonStanding = RowOf<typeof personStanding>;

/** People who may sign in, ordered by address. */
export function listPersonStandings(reader: Reader, orgId: string, limit: number): Promise<PersonStanding[]> {
  return reader.rows(personStanding.sql`
    select u.identifier, u.role, u.moderated_blueprints as "moderatedBlueprints",
      array(select m.team_key from team_members m where m.org_id = ${orgId} and m.user_key = u.key
        order by m.team_key) as "teamKeys"
    from users u where u.org_id = ${orgId} and u.status <> 'Disabled' order by u.identifier limit ${limit}`);
}

export async function countServiceAccounts(reader: Reader, orgId: string): Promise<number> {
  const row = await reader.first(countRow.sql`
    select count(*)::int as count from users where org_id = ${orgId} and type = 'Service Account'`);
  return row?.count ?? 0;
}
