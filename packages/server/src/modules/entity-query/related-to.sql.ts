import type { GraphRule } from '@portolan/contract/search-query';
import sql, { type Sql } from 'sql-template-tag';
import type { CompileContext } from './compile-context.ts';
import type { Condition } from './condition.sql.ts';

/**
 * Entities linked to the given ones over relations, at any depth in one direction (catalog semantics §3.5): upstream is
 * what they depend on, downstream what depends on them, both separately without a direction. The given entities are no
 * results. Unreadable entities are neither starts nor steps.
 */
export function relatedToCondition(rule: GraphRule, context: CompileContext): Condition {
  const identifiers = typeof rule.value === 'string' ? [rule.value] : rule.value;
  if (identifiers.length === 0) return false;
  const { orgId } = context;
  const start = sql`select e.key from blueprints b join entities e on e.org_id = b.org_id and e.blueprint_key = b.key
    where b.org_id = ${orgId} and b.identifier = ${rule.blueprint}
    and e.identifier = any(${identifiers}::text[])${readableRow(context)}`;
  const up = reach(context, start, rule.required, 'upstream');
  const down = reach(context, start, rule.required, 'downstream');
  const reached =
    rule.direction === 'upstream' ? up : rule.direction === 'downstream' ? down : sql`${up} union ${down}`;
  return sql`(e.key in (${reached}) and e.key not in (${start}))`;
}

/** An `and` that restricts the innermost `entities e` to readable rows. */
export function readableRow({ readable }: CompileContext): Sql {
  return readable ? sql` and ${readable}` : sql``;
}

/** An `and` that restricts a key to readable entities. */
export function readableKey({ orgId, readable }: CompileContext, key: Sql): Sql {
  if (!readable) return sql``;
  return sql` and exists (select 1 from entities e where e.org_id = ${orgId} and e.key = ${key} and ${readable})`;
}

function reach(
  context: CompileContext,
  start: Sql,
  required: boolean | undefined,
  direction: 'upstream' | 'downstream',
): Sql {
  const { orgId } = context;
  const [from, to] =
    direction === 'upstream' ? [sql`r.source_key`, sql`r.target_key`] : [sql`r.target_key`, sql`r.source_key`];
  const only =
    required === undefined
      ? sql``
      : sql` and exists (select 1 from blueprints d where d.org_id = ${orgId} and d.key = r.source_blueprint_key
          and coalesce((d.definition #>> array['relations', r.relation, 'required'])::boolean, false) = ${required})`;
  return sql`(with recursive reached(key) as (
    ${start}
    union
    select ${to} from reached join entity_relations r on r.org_id = ${orgId} and ${from} = reached.key${only}
    where true${readableKey(context, to)}
  ) select key from reached)`;
}
