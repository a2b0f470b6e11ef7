import sql, { type Sql } from 'sql-template-tag';

/** Of a target: the rules that lead to it. */
export interface ExemptionScope {
  readonly scorecard: string;
  readonly rules: readonly string[];
}

/**
 * Whether an entity `e` that falls short of a target is exempt on a day: from all rules of the scorecard, or from each
 * rule of the target that it fails.
 */
export function isExempt(orgId: string, { scorecard, rules }: ExemptionScope, today: string): Sql {
  const held = (condition: Sql) => sql`exists (
    select 1 from scorecard_exemptions x
    where x.org_id = ${orgId} and x.entity_key = e.key and x.scorecard = ${scorecard} and x.until >= ${today}
      and ${condition})`;
  return sql`(${held(sql`true`)} and (${held(sql`x.rule is null`)} or not exists (
    select 1 from jsonb_array_elements(e.scorecards -> ${scorecard}::text -> 'rules') as f(item)
    where f.item ->> 'identifier' = any(${rules}) and f.item ->> 'status' <> 'SUCCESS'
      and not ${held(sql`x.rule = f.item ->> 'identifier'`)})))`;
}
