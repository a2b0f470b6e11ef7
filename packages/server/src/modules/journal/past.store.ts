import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Reader } from '../../platform/db/database.ts';
import { computed, fields, row } from '../../platform/db/row.ts';

/** A property to read, by its key and by whether people or the platform wrote it. */
export interface PastKey {
  readonly column: 'properties' | 'derived';
  readonly key: string;
}

/** The entity and the start of its history: earlier records under the same name belong to another entity. */
export interface PastSubject {
  readonly blueprint: string;
  readonly entity: string;
  readonly since: Date;
}

export type Values = readonly unknown[];
type Column = 'before' | 'after';

export interface PastRename {
  readonly at: Date;
  readonly key: number;
  readonly renamedFrom: string;
  readonly found: Values;
}

/** The latest renaming to this name between a moment and a later renaming, with the last values before it. */
export function findRenaming(
  reader: Reader,
  orgId: string,
  of: PastSubject,
  keys: readonly PastKey[],
  from: Date,
  later: Pick<PastRename, 'at' | 'key'> | undefined,
): Promise<PastRename | undefined> {
  const before = later ? sql`(j.at, j.key) < (${later.at}, ${later.key})` : sql`true`;
  return reader.first<PastRename>(sql`
    select j.at, j.key, j.context ->> 'renamedFrom' as "renamedFrom", ${valuesIn('before', keys)} as found
    from journal j
    where ${recordCondition(orgId, of, sql`${of.entity}`)} and j.context ->> 'renamedFrom' is not null and j.at >= ${from} and ${before}
    order by j.at desc, j.key desc limit 1`);
}

/** A moment, the entity's name at the time, and the end of that name. */
export interface AskedMoment {
  readonly at: Date;
  readonly name: string;
  readonly until: Date | null;
}

/** The values at each moment, in the given order; null if no record has them. */
export function selectValuesAt(
  reader: Reader,
  orgId: string,
  of: PastSubject,
  keys: readonly PastKey[],
  asked: readonly AskedMoment[],
): Promise<{ readonly found: Values | null }[]> {
  const record = (column: Column, within: Sql, order: Sql) => sql`
    (select ${valuesIn(column, keys)} from journal j
    where ${recordCondition(orgId, of, sql`w.name`)} and ${within} order by ${order} limit 1)`;
  return reader.rows<{ found: Values | null }>(sql`
    select coalesce(
      ${record('after', sql`j.at < w.at`, sql`j.at desc, j.key desc`)},
      ${record('before', sql`j.at >= w.at and (w.until is null or j.at < w.until)`, sql`j.at, j.key`)}) as found
    from unnest(${asked.map(({ at }) => at)}::timestamptz[], ${asked.map(({ name }) => name)}::text[],
      ${asked.map(({ until }) => until)}::timestamptz[]) with ordinality as w(at, name, until, position)
    order by w.position`);
}

function recordCondition(orgId: string, { blueprint, since }: PastSubject, name: Sql): Sql {
  return sql`j.org_id = ${orgId} and j.context ->> 'entity' = ${name} and j.context ->> 'blueprint' = ${blueprint}
    and j.resource_type = 'entity' and j.status = 'SUCCESS' and j.at >= ${since}`;
}

function valuesIn(record: Column, keys: readonly PastKey[]): Sql {
  const values = keys.map(({ column, key }) => sql`j.${raw(record)} -> ${column}::text -> ${key}::text`);
  return sql`jsonb_build_array(${join(values)})`;
}

export interface EntityState {
  readonly at: Date;
  /** Properties including derived ones; null once it is deleted. Unset properties are absent. */
  readonly properties: Readonly<Record<string, unknown>> | null;
}

export interface HistoryRange {
  readonly from: Date;
  readonly to: Date;
  /** Limits the properties that are read; all if absent. */
  readonly keys?: readonly string[];
}

export interface StateRow extends EntityState {
  readonly key: number;
  readonly renamedFrom: string | null;
}

/** A moment (inclusive), or with a key the record of a renaming (exclusive). */
export interface Until {
  readonly at: Date;
  readonly key?: number;
}

const stateRow = row({
  ...fields('journal', 'key', 'at'),
  renamedFrom: computed.text.orNull(),
  properties: computed.json.as<Readonly<Record<string, unknown>>>().orNull(),
});

/** States of an entity under one name, oldest first, starting with the one in force at the start of the range. */
export async function selectStates(
  reader: Reader,
  orgId: string,
  { blueprint, entity }: { readonly blueprint: string; readonly entity: string },
  { from, keys }: HistoryRange,
  until: Until,
): Promise<StateRow[]> {
  const to = until.key === undefined ? sql`j.at <= ${until.at}` : sql`(j.at, j.key) < (${until.at}, ${until.key})`;
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
  const [inForce] = await reader.rows(
    stateRow.sql`${select} and j.at < ${from} order by j.at desc, j.key desc limit 1`,
  );
  const later = await reader.rows(stateRow.sql`${select} and j.at >= ${from} order by j.at, j.key`);
  return inForce ? [inForce, ...later] : later;
}
