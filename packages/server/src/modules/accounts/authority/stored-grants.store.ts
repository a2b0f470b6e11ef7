import type { Reader } from '../../../platform/db/database.ts';
import { computed, fields, type RowOf, row } from '../../../platform/db/row.ts';
import { type EntityRights, type Grant, storedGrants } from '../../rights/index.ts';
import { entityScopes, grantedScopes } from './grants.ts';

/** A stored grant of any kind, with the scopes it gives. */
export interface PlacedGrant {
  readonly grant: Grant;
  readonly scopes: readonly string[];
  /** The blueprint of the entities; null for other grants. */
  readonly blueprintKey: number | null;
}

const storedGrantsRow = row({
  kind: computed.text.as<'blueprint' | 'action' | 'page' | 'server'>(),
  identifier: computed.text,
  blueprintKey: computed.number.orNull(),
  rights: computed.json.as<EntityRights & { readonly execute?: Grant; readonly approve?: Grant }>(),
});
type Row = RowOf<typeof storedGrantsRow>;

/**
 * Every grant of an organization. All columns with grants are read here, so that no team or address that carries rights
 * is missed.
 */
export async function listPlacedGrants(reader: Reader, orgId: string): Promise<PlacedGrant[]> {
  const rows = await reader.rows(storedGrantsRow.sql`
    select 'blueprint' as kind, identifier, key as "blueprintKey", permissions as rights from blueprints
      where org_id = ${orgId} and permissions is not null
    union all select 'action', identifier, blueprint_key, permissions from actions
      where org_id = ${orgId} and permissions is not null
    union all select 'page', identifier, null, permissions from pages
      where org_id = ${orgId} and permissions is not null
    union all select 'server', identifier, null, rights from mcp_servers where org_id = ${orgId}`);
  return rows.flatMap(placedIn);
}

function placedIn({ kind, identifier, blueprintKey, rights }: Row): PlacedGrant[] {
  const placed = (grant: Grant | undefined, scopes: readonly string[]): PlacedGrant[] =>
    grant ? [{ grant, scopes, blueprintKey }] : [];
  switch (kind) {
    case 'blueprint':
      return storedGrants({ identifier, rights }).flatMap(({ name, grant }) => placed(grant, entityScopes(name)));
    case 'action':
      return [...placed(rights.execute, grantedScopes.execute), ...placed(rights.approve, grantedScopes.approve)];
    case 'page':
      return [...placed(rights.read, grantedScopes.readPage), ...placed(rights.update, grantedScopes.updatePage)];
    case 'server':
      return placed(rights as Grant, grantedScopes.useServer);
  }
}

const entityRow = row({ ...fields('entities', 'blueprint_key'), teamKey: computed.text });

/** Which of these teams own entities of which of these blueprints. */
export function listOwnerships(
  reader: Reader,
  orgId: string,
  teamKeys: readonly string[],
  blueprintKeys: readonly number[],
): Promise<{ readonly teamKey: string; readonly blueprintKey: number }[]> {
  return reader.rows(entityRow.sql`
    select distinct r as "teamKey", e.blueprint_key as "blueprintKey"
    from entities e cross join lateral unnest(e.team_refs) as r
    where e.org_id = ${orgId} and e.blueprint_key = any(${blueprintKeys}::bigint[]) and e.team_refs && ${teamKeys}::text[]
      and r = any(${teamKeys}::text[])`);
}

export interface NamedTeam {
  readonly key: string;
  readonly title: string;
  /** Whether the identity provider decides its members. */
  readonly isProvided: boolean;
}

const teamRow = row({ ...fields('teams', 'key', 'title'), isProvided: computed.boolean });

export function findNamedTeams(reader: Reader, orgId: string, keys: readonly string[]): Promise<NamedTeam[]> {
  return reader.rows(teamRow.sql`
    select key, title, provider is not null as "isProvided" from teams
    where org_id = ${orgId} and key = any(${keys}) order by title`);
}
