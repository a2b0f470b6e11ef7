import type { SearchQuery } from '@portolan/contract/search-query';
import sql, { type Sql } from 'sql-template-tag';
import type { Actor } from '../../platform/actor.ts';
import { invalidRequest } from '../../platform/errors.ts';
import { openScope, readCondition } from '../access/index.ts';
import type { StoredBlueprint } from '../blueprints/index.ts';
import { type ReadDeps, readableBlueprint } from '../entities/index.ts';
import { type CompileContext, compileQuery, shownOperand, teamNamesOf } from '../entity-query/index.ts';
import { allOf } from '../entity-rows/index.ts';

export interface Group {
  readonly value: unknown;
  readonly count: number;
}

/**
 * How many of the entities of a blueprint have each value, most first. One with several values counts for each, one
 * without a value for null. `total` is the number of entities.
 * @throws AppError `invalid_request` for a property that the blueprint does not have
 */
export async function groupBlueprint(
  deps: ReadDeps,
  actor: Actor,
  identifier: string,
  by: { readonly query?: SearchQuery | undefined; readonly groupBy: string; readonly limit: number },
): Promise<{ groups: Group[]; total: number }> {
  const blueprint = await readableBlueprint(deps, actor, identifier);
  const context = (await openScope(deps, actor, by.query)).contextOf(blueprint);
  const values = groupValues(by.groupBy, blueprint, context);
  if (!values) throw invalidRequest([{ path: '/groupBy', message: 'is not a property that can be grouped by' }]);
  const condition = allOf([
    sql`e.blueprint_key = ${blueprint.key}`,
    await readCondition(deps, actor, blueprint),
    ...(by.query ? [compileQuery(by.query, context)] : []),
  ]);
  const rows = await deps.database.rows<Group & { total: number }>(sql`
    with matching as materialized (select e.* from entities e where e.org_id = ${actor.orgId} and ${condition})
    select value, count(*)::int as count, (select count(*)::int from matching) as total
    from matching e cross join lateral ${values} as item(value)
    group by value order by count(*) desc, value nulls last limit ${by.limit}`);
  const total = rows[0]?.total ?? 0;
  return { groups: rows.map(({ value, count }) => ({ value, count })), total };
}

/** The values of a row `e`, one row of JSON each and at least one. Undefined where there is nothing to group by. */
export function groupValues(name: string, blueprint: StoredBlueprint, context: CompileContext): Sql | undefined {
  if (name === '$team') {
    return sql`(select to_jsonb(shown.name) from ${teamNamesOf(context)} union all
      select null where not exists (select 1 from ${teamNamesOf(context)}))`;
  }
  if (name === '$blueprint') return single(sql`to_jsonb(${blueprint.identifier}::text)`);
  const operand = shownOperand(name, blueprint, context.hidden);
  if (!operand || operand.type === 'object') return undefined;
  return operand.type === 'array' || operand.type === 'json' ? several(operand.json) : single(operand.json);
}

/** No value is null, and so is JSON's. */
function single(json: Sql): Sql {
  return sql`(select nullif(${json}, 'null'::jsonb))`;
}

function several(json: Sql): Sql {
  return sql`(select distinct nullif(member, 'null'::jsonb) from jsonb_array_elements(case jsonb_typeof(${json})
    when 'array' then case ${json} when '[]' then '[null]' else ${json} end
    else jsonb_build_array(${json}) end) as member)`;
}
