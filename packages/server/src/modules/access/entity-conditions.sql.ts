import sql, { join, type Sql } from 'sql-template-tag';
import type { Actor } from '../../platform/actor.ts';
import type { StoredBlueprint } from '../blueprints/index.ts';
import { toSql } from '../entity-query/index.ts';
import type { NamedGrant } from '../rights/index.ts';
import type { CompilePolicy } from './compile-policies.ts';

/** Entities that belong to one of the teams. */
export function ownedBy(teamKeys: readonly string[]): Sql {
  return sql`e.team_refs && ${teamKeys}::text[]`;
}

/** What the caller asked or created, or what belongs to the caller's teams. */
export function personalTo(actor: Actor): Sql {
  const asked = actor.userId === undefined ? sql`false` : sql`e.relations ->> 'asked_by' = ${actor.userId}`;
  return sql`(${asked} or e.created_by = ${actor.id} or ${ownedBy(actor.teamKeys)})`;
}

/** Of entities of a blueprint those that satisfy the condition, and all of others. */
export function within(blueprintKey: number, condition: Sql): Sql {
  return sql`(e.blueprint_key <> ${blueprintKey} or ${condition})`;
}

/** Entities that stand for a scorecard or rule of one of the blueprints. */
export function standsForOne(blueprintKeys: readonly number[]): Sql {
  return sql`exists (
      select 1 from scorecard_entities s where s.org_id = e.org_id and s.entity_key = e.key
        and s.blueprint_key = any(${blueprintKeys}::bigint[]))`;
}

/** Results one of whose relations leads to an entity that satisfies one of the conditions. */
export function isAboutOne(relations: readonly string[], permitted: readonly Sql[]): Sql {
  // inside, `e` is the subject, so the result's row gets another name
  return sql`exists (
    select 1 from (select e.org_id, e.key) as o(org_id, key)
    cross join lateral (
      select 1 from entity_relations r join entities e on e.org_id = r.org_id and e.key = r.target_key
      where r.org_id = o.org_id and r.source_key = o.key and r.relation = any(${relations}::text[])
        and (${join([...permitted], ' or ')})) s)`;
}

/** The names of the grants whose policies a row `entities e` satisfies, as an array. */
export function satisfiedNames(blueprint: StoredBlueprint, grants: readonly NamedGrant[], compile: CompilePolicy): Sql {
  if (grants.length === 0) return sql`'{}'::text[]`;
  const cases = grants.map((grant) => sql`case when ${toSql(compile(blueprint, grant))} then ${grant.name}::text end`);
  return sql`array_remove(array[${join(cases)}], null)`;
}
