import sql, { type Sql } from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { computed, field, fields, type RowOf, row } from '../../../platform/db/row.ts';

const entityRow = row({ ...fields('entities', 'blueprint_key'), count: computed.number });

export async function countEntitiesWithTeams(reader: Reader, orgId: string): Promise<Map<number, number>> {
  const rows = await reader.rows(entityRow.sql`
    select e.blueprint_key as "blueprintKey", count(*)::int as count from entities e
    where e.org_id = ${orgId} and e.own_team_refs <> '{}' group by e.blueprint_key`);
  return new Map(rows.map(({ blueprintKey, count }) => [blueprintKey, count]));
}

const blueprintKeyRow = row(fields('blueprints', 'key'));

/** Keys of blueprints with at least one entity that has own teams; one lookup per blueprint, whatever its size. */
export async function listBlueprintsWithTeams(reader: Reader, orgId: string): Promise<Set<number>> {
  const rows = await reader.rows(blueprintKeyRow.sql`
    select b.key from blueprints b where b.org_id = ${orgId} and exists (
      select 1 from entities e
      where e.org_id = ${orgId} and e.blueprint_key = b.key and e.own_team_refs <> '{}')`);
  return new Set(rows.map(({ key }) => key));
}

const unresolvedUse = row({
  name: computed.text,
  blueprint: field('blueprints', 'identifier'),
  count: computed.number,
});

export type UnresolvedUse = RowOf<typeof unresolvedUse>;

export function listUnresolvedUses(reader: Reader, orgId: string, limit: number): Promise<UnresolvedUse[]> {
  return reader.rows(unresolvedUse.sql`
    select substr(r.reference, 2) as name, b.identifier as blueprint, count(*)::int as count
    from entities e
    join blueprints b on b.org_id = ${orgId} and b.key = e.blueprint_key
    cross join lateral unnest(e.own_team_refs) as r(reference)
    where e.org_id = ${orgId} and e.own_team_refs <> '{}' and r.reference like '?%'
    group by 1, 2 order by 1, 2 limit ${limit}`);
}

/** Replaces an unresolved name by a team on up to `limit` entities; returns their number. */
export function resolveName(tx: Tx, orgId: string, name: string, teamKey: string, limit: number): Promise<number> {
  const mark = `?${name}`;
  return tx.execute(sql`
    update entities e set own_team_refs = array_replace(e.own_team_refs, ${mark}, ${teamKey}),
      team_refs = array_replace(e.team_refs, ${mark}, ${teamKey})
    from (select x.key from entities x where x.org_id = ${orgId} and x.team_refs @> array[${mark}]::text[]
      order by x.key limit ${limit} for no key update) d
    where e.org_id = ${orgId} and e.key = d.key`);
}

/** Condition on `entities e`: of this blueprint and with teams. */
export function withTeams(blueprintKey: number): Sql {
  return sql`e.blueprint_key = ${blueprintKey} and e.team_refs <> '{}'`;
}
