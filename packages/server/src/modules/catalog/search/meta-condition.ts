import sql, { type Sql } from 'sql-template-tag';
import type { CompileContext } from './compile-query.ts';
import { jsonCondition, type ValueRule } from './value-condition.ts';

/** The meta-properties that can be searched (catalog semantics §1.4), as JSON values. */
const columns: Readonly<Record<string, Sql>> = {
  $identifier: sql`to_jsonb(e.identifier)`,
  $title: sql`to_jsonb(e.title)`,
  $icon: sql`to_jsonb(e.icon)`,
  $createdAt: sql`to_jsonb(to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`,
  $updatedAt: sql`to_jsonb(to_char(e.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`,
  $createdBy: sql`to_jsonb(e.created_by)`,
  $updatedBy: sql`to_jsonb(e.updated_by)`,
  $datasource: sql`to_jsonb(e.datasource)`,
};

export function isMetaName(property: string): boolean {
  return property.startsWith('$');
}

/** A rule on a meta-property. One that does not exist has no value. */
export function metaCondition(rule: ValueRule, context: CompileContext): Sql {
  switch (rule.property) {
    case '$team':
      return teamCondition(rule, context);
    case '$blueprint':
      return blueprintCondition(rule, context);
    case '$identifier':
      if (rule.operator === '=' && typeof rule.value === 'string') return sql`e.identifier = ${rule.value}`;
      break;
  }
  return jsonCondition(columns[rule.property] ?? sql`null::jsonb`, rule, context.now);
}

function blueprintCondition(rule: ValueRule, { orgId, now }: CompileContext): Sql {
  const condition = jsonCondition(sql`to_jsonb(b.identifier)`, rule, now);
  return sql`e.blueprint_key in (select b.key from blueprints b where b.org_id = ${orgId} and ${condition})`;
}

/** Teams compare by the names the organization shows; `[]` is empty too, and "My Teams" are the caller's. */
function teamCondition(rule: ValueRule, { orgId, now, teamForm, teamKeys }: CompileContext): Sql {
  if (rule.operator === 'isEmpty') return sql`e.team_refs = '{}'`;
  if (rule.operator === 'isNotEmpty') return sql`e.team_refs <> '{}'`;
  if (rule.operator === '=' && rule.value === null) return sql`e.team_refs = '{}'`;
  if (rule.operator === '!=' && rule.value === null) return sql`e.team_refs <> '{}'`;
  const name = teamForm === 'identifier' ? sql`t.identifier` : sql`t.title`;
  const names = sql`(select coalesce(jsonb_agg(coalesce(${name}, substr(r.reference, 2)) order by r.position), '[]'::jsonb)
    from unnest(e.team_refs) with ordinality as r(reference, position)
    left join teams t on t.org_id = ${orgId} and t.key = r.reference
    where t.key is not null or r.reference like '?%')`;
  if ('value' in rule && Array.isArray(rule.value) && rule.value.includes('My Teams')) {
    const mine = sql`e.team_refs && ${teamKeys}::text[]`;
    const others = { ...rule, value: rule.value.filter((each) => each !== 'My Teams') } as ValueRule;
    if (rule.operator === 'in' || rule.operator === 'containsAny')
      return sql`(${mine} or ${jsonCondition(names, others, now)})`;
    if (rule.operator === 'notIn') return sql`(not (${mine}) and ${jsonCondition(names, others, now)})`;
  }
  // with one team, `=` and `!=` compare with its name: that is what people mean by a single value
  if ((rule.operator === '=' || rule.operator === '!=') && typeof rule.value === 'string') {
    return jsonCondition(names, { ...rule, value: [rule.value] }, now);
  }
  return jsonCondition(names, rule, now);
}
