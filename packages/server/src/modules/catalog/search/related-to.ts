import type { SearchRule } from '@portolan/contract';
import sql, { type Sql } from 'sql-template-tag';
import type { CompileContext } from './compile-query.ts';

type RelatedTo = Extract<SearchRule, { operator: 'relatedTo' }>;

/**
 * Entities linked to the given ones over relations, at any depth, never turning round (catalog semantics §3.5):
 * upstream is what they depend on, downstream what depends on them, and without a direction both, each on its own.
 * The given entities themselves are not results.
 */
export function compileRelatedTo(rule: RelatedTo, { orgId }: CompileContext): Sql {
  const identifiers = typeof rule.value === 'string' ? [rule.value] : rule.value;
  const start = sql`select s.key from entities s
    join blueprints b on b.org_id = s.org_id and b.key = s.blueprint_key
    where s.org_id = ${orgId} and b.identifier = ${rule.blueprint} and s.identifier = any(${identifiers})`;
  const up = reach(orgId, start, rule.required, 'upstream');
  const down = reach(orgId, start, rule.required, 'downstream');
  const reached =
    rule.direction === 'upstream' ? up : rule.direction === 'downstream' ? down : sql`${up} union ${down}`;
  return sql`(e.key in (${reached}) and e.key not in (${start}))`;
}

function reach(orgId: string, start: Sql, required: boolean | undefined, direction: 'upstream' | 'downstream'): Sql {
  const [from, to] =
    direction === 'upstream' ? [sql`r.source_key`, sql`r.target_key`] : [sql`r.target_key`, sql`r.source_key`];
  const only =
    required === undefined
      ? sql``
      : sql`and exists (select 1 from blueprints d where d.org_id = ${orgId} and d.key = r.source_blueprint_key
          and coalesce((d.definition #>> array['relations', r.relation, 'required'])::boolean, false) = ${required})`;
  return sql`(with recursive reached(key) as (
    ${start}
    union
    select ${to} from reached join entity_relations r on r.org_id = ${orgId} and ${from} = reached.key ${only}
  ) select key from reached)`;
}
