import sql, { raw, type Sql } from 'sql-template-tag';
import type { CompileContext } from './compile-context.ts';
import { and, type Condition, not, or } from './condition.sql.ts';
import type { ValueRule } from './value-condition.sql.ts';

/**
 * A rule on `$team`, the list of names that the organization's rules use. `[]` is empty too, an unresolved name
 * compares as written, deleted teams do not count, and "My Teams" are the caller's (compatibility choices, Catalog).
 */
export function teamCondition(rule: ValueRule, context: CompileContext): Condition {
  const { value } = rule;
  switch (rule.operator) {
    case 'isEmpty':
      return isEmpty(context);
    case 'isNotEmpty':
      return and([not(isEmpty(context)), hasResolved(context)]);
    case '=':
      return and([equal(rule, context), isResolved(context)]);
    case '!=':
      return and([not(equal(rule, context)), isResolved(context)]);
    case 'in':
    case 'containsAny':
    case 'contains':
      return anyOf(value, context);
    case 'notIn':
    case 'doesNotContains':
      return and([not(anyOf(value, context)), isResolved(context)]);
    case 'doesNotBeginsWith':
    case 'doesNotEndsWith':
    case 'notBetween':
      return isResolved(context);
    default:
      return false;
  }
}

function isEmpty(context: CompileContext): Sql {
  return sql`(e.team_refs = '{}' or not exists (select 1 from ${shownTeams(context)}))`;
}

/** A single team in `=` and `!=` is compared by name. */
function equal({ value }: ValueRule, context: CompileContext): Condition {
  if (value === null || value === undefined) return isEmpty(context);
  const names = Array.isArray(value) ? value : [value];
  if (!names.every((name) => typeof name === 'string')) return false;
  if (names.length === 0) return isEmpty(context);
  const isMine = names.length === 1 && names[0] === 'My Teams';
  if (isMine) return anyOf(value, context);
  return sql`(cardinality(e.team_refs) >= ${names.length} and array(select shown.name from ${shownTeams(context)} order by shown.position) = ${names}::text[])`;
}

/** In strict mode: every reference of the row is a team. */
function isResolved({ isStrictOnTeams }: CompileContext): Condition {
  return isStrictOnTeams
    ? sql`not exists (select 1 from unnest(e.team_refs) as r(reference) where ${unresolved})`
    : true;
}

/** In strict mode: at least one reference is. */
function hasResolved({ isStrictOnTeams }: CompileContext): Condition {
  return isStrictOnTeams
    ? sql`exists (select 1 from unnest(e.team_refs) as r(reference) where not ${unresolved})`
    : true;
}

const unresolved = raw("(r.reference like '?%')");

function anyOf(value: ValueRule['value'], context: CompileContext): Condition {
  const list = (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string');
  const isMine = list.includes('My Teams');
  const names = list.filter((each) => each !== 'My Teams');
  return or([
    isMine && context.teamKeys.length > 0 && sql`e.team_refs && ${context.teamKeys}::text[]`,
    names.length > 0 && sql`e.team_refs && ${teamReferences(names, context)}`,
  ]);
}

/** Keys of teams by name, and marks of unresolved names; computed once instead of per row. */
function teamReferences(names: readonly string[], { orgId, teamForm, isStrictOnTeams }: CompileContext): Sql {
  const name = teamForm === 'identifier' ? sql`t.identifier` : sql`t.title`;
  if (isStrictOnTeams) {
    // a title of several teams names none of them, as in writes
    return sql`array(select min(t.key) from teams t where t.org_id = ${orgId} and ${name} = any(${names}::text[])
      group by ${name} having count(*) = 1)`;
  }
  return sql`array(select t.key from teams t where t.org_id = ${orgId} and ${name} = any(${names}::text[])
    union all select unnest(${names.map((each) => `?${each}`)}::text[]))`;
}

/** Names of the row's teams in order, as `shown(name, position)`. */
function shownTeams({ orgId, teamForm }: CompileContext): Sql {
  const name = teamForm === 'identifier' ? sql`t.identifier` : sql`t.title`;
  return sql`(select coalesce(${name}, substr(r.reference, 2)) as name, r.position
    from unnest(e.team_refs) with ordinality as r(reference, position)
    left join teams t on t.org_id = ${orgId} and t.key = r.reference
    where t.key is not null or r.reference like '?%') as shown`;
}

/** For grouping: `shown(name, position)`. */
export const teamNames = shownTeams;
