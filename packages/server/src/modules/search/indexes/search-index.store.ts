import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { computed, row } from '../../../platform/db/row.ts';
import { type IndexedValue, namePrefix } from '../../entity-query/index.ts';
import type { Use } from './use-counter.ts';

export interface UsedValue extends Use {
  readonly usedAt: Date;
  readonly indexName: string | null;
}

const mostRow = row({ most: computed.number.orNull() });

/** Adds to the counts and returns the most used values that have no index. */
export async function addUses(tx: Tx, uses: readonly Use[], now: Date): Promise<number> {
  const inOrder = [...uses].sort((a, b) => (indexedValueKey(a) < indexedValueKey(b) ? -1 : 1));
  const row = await tx.first(mostRow.sql`
    with added as (
      insert into search_indexes as s (org_id, blueprint_key, slot, uses, used_at)
      select u.*, ${now}::timestamptz from unnest(${inOrder.map(({ orgId }) => orgId)}::text[],
        ${inOrder.map(({ blueprintKey }) => blueprintKey)}::bigint[], ${inOrder.map(({ slot }) => slot)}::text[],
        ${inOrder.map((use) => use.uses)}::bigint[]) as u(org_id, blueprint_key, slot, uses)
      on conflict (org_id, blueprint_key, slot) do update set uses = s.uses + excluded.uses, used_at = excluded.used_at
      returning s.uses, s.index_name
    ) select max(uses) as most from added where index_name is null`);
  return row?.most ?? 0;
}

function indexedValueKey({ orgId, blueprintKey, slot }: IndexedValue): string {
  return JSON.stringify([orgId, blueprintKey, slot]);
}

/** Values with an index or enough uses to get one, most used first. */
export function listUsed(reader: Reader, usesMin: number): Promise<UsedValue[]> {
  return reader.rows<UsedValue>(sql`
    select org_id as "orgId", blueprint_key as "blueprintKey", slot, uses, used_at as "usedAt", index_name as "indexName"
    from search_indexes where index_name is not null or uses >= ${usesMin}
    order by uses desc, org_id, blueprint_key, slot /* all organizations */`);
}

/** Indexes this module created. One whose build was interrupted is not valid. */
export function listIndexes(reader: Reader): Promise<{ name: string; isValid: boolean }[]> {
  return reader.rows(sql`
    select c.relname as name, i.indisvalid as "isValid" from pg_index i
    join pg_class c on c.oid = i.indexrelid
    where i.indrelid = 'entities'::regclass and starts_with(c.relname, ${namePrefix}) order by c.relname`);
}

export async function listStatistics(reader: Reader): Promise<Set<string>> {
  const rows = await reader.rows<{ name: string }>(sql`
    select stxname as name from pg_statistic_ext
    where stxrelid = 'entities'::regclass and starts_with(stxname, ${namePrefix})`);
  return new Set(rows.map(({ name }) => name));
}

/** Stops counting at the limit. */
export async function hasEntities(reader: Reader, value: IndexedValue, count: number): Promise<boolean> {
  const rows = await reader.rows(sql`
    select 1 from entities where org_id = ${value.orgId} and blueprint_key = ${value.blueprintKey}
    order by key offset ${count - 1} limit 1`);
  return rows.length > 0;
}

export async function hasUses(reader: Reader, orgId: string, blueprintKey: number): Promise<boolean> {
  const row = await reader.first(sql`
    select 1 from search_indexes where org_id = ${orgId} and blueprint_key = ${blueprintKey} limit 1`);
  return row !== undefined;
}

export async function setIndex(reader: Reader, value: IndexedValue, name: string | null): Promise<void> {
  await reader.rows(sql`
    update search_indexes set index_name = ${name}
    where org_id = ${value.orgId} and blueprint_key = ${value.blueprintKey} and slot = ${value.slot}`);
}

export async function forget(reader: Reader, value: IndexedValue): Promise<void> {
  await reader.rows(sql`
    delete from search_indexes
    where org_id = ${value.orgId} and blueprint_key = ${value.blueprintKey} and slot = ${value.slot}`);
}

/** Halves all counts and deletes values without an index that were not used since. */
export async function fade(reader: Reader, before: Date): Promise<void> {
  await reader.rows(sql`
    delete from search_indexes where index_name is null and used_at < ${before} /* all organizations */`);
  await reader.rows(sql`update search_indexes set uses = uses / 2 where uses > 0 /* all organizations */`);
}

/** Ends what a connection is doing in the server. */
export async function cancelBackend(reader: Reader, pid: unknown): Promise<void> {
  await reader.rows(sql`select pg_cancel_backend(${pid}::int)`);
}

/** @throws Error for a name that would have to be quoted in a statement: none of this module's */
export function plainName(name: string): string {
  if (!/^[a-z0-9_]{1,63}$/.test(name)) throw new Error(`${JSON.stringify(name)} is no name of an index`);
  return name;
}
