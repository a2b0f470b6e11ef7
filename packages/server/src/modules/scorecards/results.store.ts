import type { Sql } from 'sql-template-tag';
import type { Reader } from '../../platform/db/database.ts';
import { computed, row } from '../../platform/db/row.ts';

const tally = row({ rule: computed.text.orNull(), found: computed.text, count: computed.number });

/** How many entities of a condition are at each level, where `rule` is null, and have each status of each rule. */
export function countResults(reader: Reader, orgId: string, condition: Sql, scorecard: string) {
  return reader.rows(tally.sql`
    with measured as materialized (
      select e.scorecards -> ${scorecard}::text as found from entities e
      where e.org_id = ${orgId} and ${condition} and e.scorecards ? ${scorecard}::text)
    select null::text as rule, m.found ->> 'level' as found, count(*)::int as count from measured m group by 2
    union all
    select r.item ->> 'identifier' as rule, r.item ->> 'status' as found, count(*)::int as count
    from measured m cross join lateral jsonb_array_elements(m.found -> 'rules') as r(item) group by 1, 2`);
}
