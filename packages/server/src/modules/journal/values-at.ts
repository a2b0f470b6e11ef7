import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Reader } from '../../platform/db/database.ts';

/** A value to look for: by its key, and whether people or the platform wrote it. */
export interface PastKey {
  readonly column: 'properties' | 'derived';
  readonly key: string;
}

/** Whose past, from its creation on: what had the name before was another. */
export interface PastOf {
  readonly blueprint: string;
  readonly entity: string;
  readonly since: Date;
}

/** An entity renamed more often than this has lost the rest of its past. */
const renamesMax = 20;

/**
 * What an entity's values were just before each of some moments, past names followed: as the last change before left
 * them, or where its record is no longer kept, as the first change after found them. Undefined where no record is kept.
 * A look into the index for each moment, however often the entity changed.
 */
export async function readValuesAt(
  reader: Reader,
  orgId: string,
  of: PastOf,
  keys: readonly PastKey[],
  moments: readonly Date[],
): Promise<(readonly unknown[] | undefined)[]> {
  const [first] = moments;
  if (!first) return [];
  const names = await namesOf(reader, orgId, of, keys, first);
  const nameAt = (moment: Date) => names.find(({ from }) => from < moment) ?? (names.at(-1) as PastName);
  const record = (column: Column, within: Sql, order: Sql) => sql`
    (select ${valuesIn(column, keys)} from journal j
    where ${recordsOf(orgId, of, sql`w.name`)} and ${within} order by ${order} limit 1)`;
  const rows = await reader.rows<{ found: Values | null }>(sql`
    select coalesce(
      ${record('after', sql`j.at < w.at`, sql`j.at desc, j.key desc`)},
      ${record('before', sql`j.at >= w.at and (w.until is null or j.at < w.until)`, sql`j.at, j.key`)}) as found
    from unnest(${moments}::timestamptz[], ${moments.map((each) => nameAt(each).name)}::text[],
      ${moments.map((each) => nameAt(each).until)}::timestamptz[]) with ordinality as w(at, name, until, position)
    order by w.position`);
  return rows.map(({ found }, index) => found ?? nameAt(moments[index] as Date).last);
}

type Values = readonly unknown[];
type Column = 'before' | 'after';

interface PastName {
  readonly name: string;
  /** When it came to be called so, and no longer was. */
  readonly from: Date;
  readonly until: Date | null;
  /** What the values were when it was renamed. */
  readonly last: Values | undefined;
}

/** The names the entity had from a moment on, the present one first. */
async function namesOf(
  reader: Reader,
  orgId: string,
  of: PastOf,
  keys: readonly PastKey[],
  from: Date,
): Promise<PastName[]> {
  const names: PastName[] = [];
  let name = of.entity;
  let later: Renaming | undefined;
  while (names.length < renamesMax) {
    const before = later ? sql`(j.at, j.key) < (${later.at}, ${later.key})` : sql`true`;
    const renaming: Renaming | undefined = await reader.first<Renaming>(sql`
      select j.at, j.key, j.context ->> 'renamedFrom' as "renamedFrom", ${valuesIn('before', keys)} as found
      from journal j
      where ${recordsOf(orgId, of, sql`${name}`)} and j.context ->> 'renamedFrom' is not null and j.at >= ${from} and ${before}
      order by j.at desc, j.key desc limit 1`);
    names.push({ name, from: renaming?.at ?? of.since, until: later?.at ?? null, last: later?.found });
    if (!renaming) break;
    name = renaming.renamedFrom;
    later = renaming;
  }
  return names;
}

interface Renaming {
  readonly at: Date;
  readonly key: number;
  readonly renamedFrom: string;
  readonly found: Values;
}

function recordsOf(orgId: string, { blueprint, since }: PastOf, name: Sql): Sql {
  return sql`j.org_id = ${orgId} and j.context ->> 'entity' = ${name} and j.context ->> 'blueprint' = ${blueprint}
    and j.resource_type = 'entity' and j.status = 'SUCCESS' and j.at >= ${since}`;
}

function valuesIn(record: Column, keys: readonly PastKey[]): Sql {
  const values = keys.map(({ column, key }) => sql`j.${raw(record)} -> ${column}::text -> ${key}::text`);
  return sql`jsonb_build_array(${join(values)})`;
}
