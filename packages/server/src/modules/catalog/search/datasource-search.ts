import sql from 'sql-template-tag';
import type { Actor } from '../../../platform/actor.ts';
import { allOf, selectEntities, teamForm } from '../entity.store.ts';
import type { ReadDeps } from '../read-entities.ts';
import { toSql } from './condition.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { parseMoment } from './moments.ts';
import { conditionOverAll } from './search-entities.ts';

export interface DatasourceInput {
  readonly prefix: string;
  readonly suffix: string;
  /** Only entities that were not confirmed since. */
  readonly before?: string | null | undefined;
  readonly limit: number;
  readonly from?: string | null | undefined;
}

/** One page of what an integration wrote, in the order of creation (api contract §3.2.10). */
export async function searchByDatasource(
  deps: ReadDeps,
  actor: Actor,
  { prefix, suffix, before, limit, from }: DatasourceInput,
) {
  const afterKey = from ? readCursor(from, '[]').key : undefined;
  const { condition, blueprints } = await conditionOverAll(deps, actor, { combinator: 'and', rules: [] });
  const datasources = await matchingDatasources(deps, actor.orgId, prefix, suffix);
  if (condition === false || datasources.length === 0) return { entities: [], blueprints, next: undefined };
  const at = before ? parseMoment(before) : undefined;
  const whole = allOf([
    sql`(e.datasource collate "C") = any(${datasources}::text[])`,
    ...(at ? [sql`e.seen_at < ${at}`] : []),
    toSql(condition),
  ]);
  const page = { afterKey, limit: limit + 1 };
  const found = await selectEntities(deps.database, actor.orgId, whole, page, teamForm(actor.model));
  const entities = found.slice(0, limit);
  const last = found.length > limit ? entities.at(-1) : undefined;
  return { entities, blueprints, next: last && writeCursor({ key: last.key, values: [] }, '[]') };
}

/** Datasources are few and entities many: each is found by one step in the index. */
async function matchingDatasources(
  { database }: ReadDeps,
  orgId: string,
  prefix: string,
  suffix: string,
): Promise<string[]> {
  const rows = await database.rows<{ name: string }>(sql`
    with recursive found(name) as (
      (select e.datasource collate "C" from entities e where e.org_id = ${orgId}
        and (e.datasource collate "C") >= ${prefix} order by e.datasource collate "C" limit 1)
      union all
      select (select e.datasource collate "C" from entities e where e.org_id = ${orgId}
        and (e.datasource collate "C") > found.name order by e.datasource collate "C" limit 1)
      from found where starts_with(found.name, ${prefix})
    )
    select name from found
    where starts_with(name, ${prefix}) and length(name) >= length(${suffix}) and right(name, length(${suffix})) = ${suffix}`);
  return rows.map(({ name }) => name);
}
