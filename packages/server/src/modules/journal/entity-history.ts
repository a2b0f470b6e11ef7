import sql, { type Sql } from 'sql-template-tag';
import type { Reader } from '../../platform/db/database.ts';

/** What an entity was from a moment on. */
export interface EntityState {
  readonly at: Date;
  /** Its properties, computed ones among them; null once it is deleted. Unset ones are absent. */
  readonly properties: Readonly<Record<string, unknown>> | null;
}

export interface HistoryRange {
  readonly from: Date;
  readonly to: Date;
  /** Only these properties are read; all if absent. */
  readonly keys?: readonly string[];
}

/** An entity renamed more often than this within the range has lost the rest of its past. */
const renamesMax = 20;

/**
 * The states of an entity between two moments, oldest first, before them the one in force when the range began; past
 * names are followed. Values that were computed without a write of the entity show from its next write on.
 */
export async function readEntityHistory(
  reader: Reader,
  orgId: string,
  blueprint: string,
  entity: string,
  range: HistoryRange,
): Promise<EntityState[]> {
  const states: EntityState[] = [];
  let name: string | undefined = entity;
  let to = sql`j.at <= ${range.to}`;
  for (let renames = 0; name !== undefined && renames < renamesMax; renames += 1) {
    const rows: Row[] = await statesOf(reader, orgId, blueprint, name, range, to);
    const renamed = rows.findLast(({ renamedFrom }) => renamedFrom !== null);
    const own = renamed ? rows.slice(rows.indexOf(renamed)) : rows;
    states.unshift(...own.map(({ at, properties }) => ({ at, properties })));
    name = renamed && renamed.at >= range.from ? (renamed.renamedFrom ?? undefined) : undefined;
    if (renamed) to = sql`(j.at, j.key) < (${renamed.at}, ${renamed.key})`;
  }
  return states;
}

interface Row extends EntityState {
  readonly key: number;
  readonly renamedFrom: string | null;
}

async function statesOf(
  reader: Reader,
  orgId: string,
  blueprint: string,
  entity: string,
  { from, keys }: HistoryRange,
  to: Sql,
): Promise<Row[]> {
  const all = sql`(coalesce(j.after -> 'properties', '{}') || coalesce(j.after -> 'derived', '{}'))`;
  const values = keys
    ? sql`(select coalesce(jsonb_object_agg(k.key, ${all} -> k.key) filter (where ${all} ? k.key), '{}')
        from unnest(${keys}::text[]) as k(key))`
    : all;
  const select = sql`
    select j.at, j.key, j.context ->> 'renamedFrom' as "renamedFrom",
      case when j.after is not null then ${values} end as properties
    from journal j
    where j.org_id = ${orgId} and j.context ->> 'entity' = ${entity} and j.context ->> 'blueprint' = ${blueprint}
      and j.resource_type = 'entity' and j.status = 'SUCCESS' and ${to}`;
  const [inForce] = await reader.rows<Row>(sql`${select} and j.at < ${from} order by j.at desc, j.key desc limit 1`);
  const later = await reader.rows<Row>(sql`${select} and j.at >= ${from} order by j.at, j.key`);
  return inForce ? [inForce, ...later] : later;
}
