import sql, { raw } from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { field, fields, type RowOf, row } from '../../platform/db/row.ts';
import type { Permitted } from '../accounts/index.ts';

const providerTeam = row({
  ...fields('teams', 'key', 'identifier', 'name_key', 'external_id', 'provider'),
  name: field('teams', 'title'),
});

/** A team as identity providers see it. */
export type ProviderTeam = RowOf<typeof providerTeam>;

const columns = raw(`t.key, t.identifier, t.title as name, t.name_key as "nameKey", t.external_id as "externalId",
  t.provider`);

/** Teams with one of the external ids, names or identifiers. */
export function findProviderTeams(
  reader: Reader,
  orgId: string,
  externalIds: readonly string[],
  names: readonly string[],
  nameKeys: readonly string[],
): Promise<ProviderTeam[]> {
  return reader.rows(providerTeam.sql`
    select ${columns} from teams t
    where t.org_id = ${orgId} and (t.external_id = any(${externalIds}) or t.name_key = any(${nameKeys})
      or t.title = any(${names}) or t.identifier = any(${names}))
    order by t.created_at, t.key`);
}

export function teamsOfUser(reader: Reader, orgId: string, userKey: string): Promise<ProviderTeam[]> {
  return reader.rows(providerTeam.sql`
    select ${columns} from team_members m join teams t on t.org_id = m.org_id and t.key = m.team_key
    where m.org_id = ${orgId} and m.user_key = ${userKey} order by t.title, t.key`);
}

/** How the provider identifies the team. */
export interface Binding {
  readonly provider: 'sso' | 'scim';
  readonly externalId?: string | null;
}

/** Hands the team's membership over to the provider. */
export async function bindTeam(
  tx: Tx,
  orgId: string,
  key: string,
  { provider, externalId }: Permitted<Binding>,
): Promise<void> {
  await tx.execute(sql`
    update teams set provider = ${provider},
      external_id = case when ${externalId !== undefined} then ${externalId ?? null} else external_id end
    where org_id = ${orgId} and key = ${key}`);
}
