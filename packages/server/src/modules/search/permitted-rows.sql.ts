import sql, { join, type Sql } from 'sql-template-tag';
import type { Actor } from '../../platform/actor.ts';
import { isNarrowed, readConditions } from '../access/index.ts';
import type { StoredBlueprint } from '../blueprints/index.ts';
import type { ReadDeps } from '../entities/index.ts';

/** The rows of `entities e` of these blueprints that the caller may read; `all` are those of the organization. */
export async function permittedRows(
  deps: ReadDeps,
  actor: Actor,
  readable: readonly StoredBlueprint[],
  all: readonly StoredBlueprint[],
): Promise<Sql> {
  const narrowed = readable.filter((each) => isNarrowed(actor, each, all));
  const whole = readable.filter((each) => !narrowed.includes(each)).map(({ key }) => key);
  const conditionOf = await readConditions(deps, actor, narrowed);
  const parts = [
    sql`e.blueprint_key = any(${whole}::bigint[])`,
    ...narrowed.map((each) => sql`(e.blueprint_key = ${each.key} and ${conditionOf(each)})`),
  ];
  return sql`(${join(parts, ' or ')})`;
}
