import sql, { join, type Sql } from 'sql-template-tag';
import type { Reader } from '../../platform/db/database.ts';
import { computed, fields, row } from '../../platform/db/row.ts';

/** The rows of `entities e` that take part in a campaign, and when one of them has reached its target. */
export interface Measured {
  readonly condition: Sql;
  readonly reached: Sql;
  /** When one that has not is exempt. */
  readonly exempt: Sql;
}

const tally = row({
  isAll: computed.boolean,
  team: computed.text.orNull(),
  total: computed.number,
  reached: computed.number,
  exempt: computed.number,
  teamCount: computed.number,
});

/**
 * How many entities there are and have reached the target: of all, and of each team, most open first. Teams are called
 * as the organization calls them; a reference to none is shown as it was written.
 */
export function countProgress(
  reader: Reader,
  orgId: string,
  { condition, reached, exempt }: Measured,
  { teamForm, teamsMax }: { readonly teamForm: 'identifier' | 'title'; readonly teamsMax: number },
) {
  const name = teamForm === 'identifier' ? sql`t.identifier` : sql`t.title`;
  return reader.rows(tally.sql`
    with measured as materialized (
      select e.team_refs, coalesce(${reached}, false) as is_reached,
        not coalesce(${reached}, false) and ${exempt} as is_exempt from entities e
      where e.org_id = ${orgId} and ${condition}),
    owned as (
      select r.reference, count(*) as total, count(*) filter (where m.is_reached) as reached,
        count(*) filter (where m.is_exempt) as exempt
      from measured m cross join lateral unnest(case when m.team_refs = '{}' then array[null] else m.team_refs end)
        as r(reference)
      group by r.reference),
    named as (
      select coalesce(${name}, case when o.reference like '?%' then substr(o.reference, 2) end) as team,
        sum(o.total)::int as total, sum(o.reached)::int as reached, sum(o.exempt)::int as exempt
      from owned o left join teams t on t.org_id = ${orgId} and t.key = o.reference
      group by 1)
    (select true as "isAll", null::text as team, count(*)::int as total,
      (count(*) filter (where is_reached))::int as reached, (count(*) filter (where is_exempt))::int as exempt, 0 as "teamCount" from measured)
    union all
    (select false as "isAll", team, total, reached, exempt, (count(*) over ())::int as "teamCount" from named
      order by total - reached - exempt desc, team nulls last limit ${teamsMax})`);
}

const share = row({
  place: computed.number,
  total: computed.number,
  open: computed.number,
  exempt: computed.number,
  entities: computed.json.as<{ identifier: string; title: string | null }[]>(),
});

/**
 * Of each campaign, by its place in the list, how many entities of these teams there are and fall short of the target,
 * with the first of these by title. One statement for all.
 */
export function countOpen(
  reader: Reader,
  orgId: string,
  campaigns: readonly Measured[],
  { teamKeys, entitiesMax }: { readonly teamKeys: readonly string[]; readonly entitiesMax: number },
) {
  const each = campaigns.map(
    ({ condition, reached, exempt }, place) => sql`
    (with mine as materialized (
      select e.identifier, e.title, coalesce(${reached}, false) as is_reached,
        not coalesce(${reached}, false) and ${exempt} as is_exempt from entities e
      where e.org_id = ${orgId} and e.team_refs && ${teamKeys}::text[] and ${condition})
    select ${place}::int as place, count(*)::int as total, (count(*) filter (where not is_reached and not is_exempt))::int as open,
      (count(*) filter (where is_exempt))::int as exempt,
      (select coalesce(jsonb_agg(jsonb_build_object('identifier', f.identifier, 'title', f.title)), '[]')
        from (select identifier, title from mine where not is_reached and not is_exempt order by title, identifier limit ${entitiesMax}) f)
        as entities
    from mine)`,
  );
  return reader.rows(share.sql`${join(each, ' union all ')} order by place`);
}

const nameRow = row(fields('entities', 'identifier'));

/** The exempt entities of a campaign. */
export async function listExempt(reader: Reader, orgId: string, { condition, reached, exempt }: Measured) {
  const rows = await reader.rows(nameRow.sql`
    select e.identifier from entities e
    where e.org_id = ${orgId} and ${exempt} and ${condition} and not coalesce(${reached}, false) order by e.identifier`);
  return rows.map(({ identifier }) => identifier);
}

const ownerRow = row({ team: computed.text });

/** The teams that own entities which fall short and are not exempt, by key. */
export async function listOpenTeams(reader: Reader, orgId: string, { condition, reached, exempt }: Measured) {
  const rows = await reader.rows(ownerRow.sql`
    select distinct r.reference as team from entities e cross join lateral unnest(e.team_refs) as r(reference)
    where e.org_id = ${orgId} and ${condition} and not coalesce(${reached}, false) and not ${exempt}`);
  return rows.map(({ team }) => team);
}
