import sql, { join, type Sql } from 'sql-template-tag';
import type { Reader } from '../../platform/db/database.ts';
import { computed, row } from '../../platform/db/row.ts';

/** The rows of `entities e` that take part in a campaign, and when one of them has reached its target. */
export interface Measured {
  readonly condition: Sql;
  readonly reached: Sql;
}

const tally = row({
  isAll: computed.boolean,
  team: computed.text.orNull(),
  total: computed.number,
  reached: computed.number,
  teamCount: computed.number,
});

/**
 * How many entities there are and have reached the target: of all, and of each team, most open first. Teams are called
 * as the organization calls them; a reference to none is shown as it was written.
 */
export function countProgress(
  reader: Reader,
  orgId: string,
  { condition, reached }: Measured,
  { teamForm, teamsMax }: { readonly teamForm: 'identifier' | 'title'; readonly teamsMax: number },
) {
  const name = teamForm === 'identifier' ? sql`t.identifier` : sql`t.title`;
  return reader.rows(tally.sql`
    with measured as materialized (
      select e.team_refs, coalesce(${reached}, false) as is_reached from entities e
      where e.org_id = ${orgId} and ${condition}),
    owned as (
      select r.reference, count(*) as total, count(*) filter (where m.is_reached) as reached
      from measured m cross join lateral unnest(case when m.team_refs = '{}' then array[null] else m.team_refs end)
        as r(reference)
      group by r.reference),
    named as (
      select coalesce(${name}, case when o.reference like '?%' then substr(o.reference, 2) end) as team,
        sum(o.total)::int as total, sum(o.reached)::int as reached
      from owned o left join teams t on t.org_id = ${orgId} and t.key = o.reference
      group by 1)
    (select true as "isAll", null::text as team, count(*)::int as total,
      (count(*) filter (where is_reached))::int as reached, 0 as "teamCount" from measured)
    union all
    (select false as "isAll", team, total, reached, (count(*) over ())::int as "teamCount" from named
      order by total - reached desc, team nulls last limit ${teamsMax})`);
}

const share = row({
  place: computed.number,
  total: computed.number,
  open: computed.number,
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
    ({ condition, reached }, place) => sql`
    (with mine as materialized (
      select e.identifier, e.title, coalesce(${reached}, false) as is_reached from entities e
      where e.org_id = ${orgId} and e.team_refs && ${teamKeys}::text[] and ${condition})
    select ${place}::int as place, count(*)::int as total, (count(*) filter (where not is_reached))::int as open,
      (select coalesce(jsonb_agg(jsonb_build_object('identifier', f.identifier, 'title', f.title)), '[]')
        from (select identifier, title from mine where not is_reached order by title, identifier limit ${entitiesMax}) f)
        as entities
    from mine)`,
  );
  return reader.rows(share.sql`${join(each, ' union all ')} order by place`);
}
