import sql, { type Sql } from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { computed, countRow, fields, type RowOf, row } from '../../platform/db/row.ts';
import { type StoredEntity, storedColumns, storedEntity } from '../entity-rows/index.ts';
import type { Organization } from '../organizations/index.ts';

/** Holds the plans for the transaction; changes of blueprints wait for that, and the next statement for them. */
export function holdPlans(tx: Tx, orgId: string): void {
  tx.send(sql`select pg_advisory_xact_lock_shared(hashtextextended(${`derived-plans:${orgId}`}, 0))`);
}

/** Waits until nobody derives in the organization, and blocks derivation for the transaction. */
export async function lockPlans(tx: Tx, orgId: string): Promise<void> {
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`derived-plans:${orgId}`}, 0))`);
}

/** Serializes derivation across entities of a group of blueprints. The next statement waits for the lock. */
export function lockGroup(tx: Tx, orgId: string, group: number): void {
  tx.send(sql`select pg_advisory_xact_lock(hashtextextended(${`derived-group:${orgId}:${group}`}, 0))`);
}

/** Locks those entities that nobody is writing. Never waits. */
export function lockFree(tx: Tx, orgId: string, keys: readonly number[]): Promise<StoredEntity[]> {
  if (keys.length === 0) return Promise.resolve([]);
  return tx.rows(storedEntity.sql`
    select ${storedColumns} from entities e where e.org_id = ${orgId} and e.key = any(${keys}::bigint[])
    order by e.key for no key update skip locked`);
}

export function keysOfBlueprint(orgId: string, blueprintKey: number): Sql {
  return sql`select e.key from entities e where e.org_id = ${orgId} and e.blueprint_key = ${blueprintKey}`;
}

/** Those of the keys whose entities are there. */
export function keysThere(orgId: string, keys: readonly number[]): Sql {
  return sql`select e.key from entities e where e.org_id = ${orgId} and e.key = any(${keys}::bigint[])`;
}

/** Entities of a blueprint that hold a computed value of one of these names. */
export function keysHolding(orgId: string, blueprintKey: number, names: readonly string[]): Sql {
  return sql`select e.key from entities e
      where e.org_id = ${orgId} and e.blueprint_key = ${blueprintKey} and e.derived ?| ${names}::text[]`;
}

interface After {
  readonly afterKey: number;
  readonly limit: number;
}

/** The next entities of a blueprint, in the order they were created. */
export function keysAfter(orgId: string, blueprintKey: number, { afterKey, limit }: After): Sql {
  return sql`select e.key from entities e where e.org_id = ${orgId}
    and e.blueprint_key = ${blueprintKey}::bigint and e.key > ${afterKey} order by e.key limit ${limit}`;
}

const selectedKey = row({ key: computed.number });
const lastKey = row({ key: computed.number.orNull() });

/** The last of the selected keys, if there is one. */
export async function findLastKey(reader: Reader, keys: Sql): Promise<number | undefined> {
  const row = await reader.first(lastKey.sql`select max(s.key) as key from (${keys}) s`);
  return row?.key ?? undefined;
}

export async function listThere(reader: Reader, orgId: string, keys: readonly number[]): Promise<number[]> {
  const rows = await reader.rows(selectedKey.sql`${keysThere(orgId, keys)}`);
  return rows.map(({ key }) => key);
}

/** The first `limit` of the selected keys. */
export async function someKeys(reader: Reader, keys: Sql, limit: number): Promise<number[]> {
  const rows = await reader.rows(selectedKey.sql`select distinct s.key from (${keys}) s limit ${limit}`);
  return rows.map(({ key }) => key);
}

const entityKeyRow = row(fields('entities', 'key'));

export async function teamEntities(reader: Reader, orgId: string, references: readonly string[]): Promise<number[]> {
  if (references.length === 0) return [];
  const rows = await reader.rows(entityKeyRow.sql`
    select e.key from teams t
    join blueprints b on b.org_id = t.org_id and b.identifier = '_team'
    join entities e on e.org_id = t.org_id and e.blueprint_key = b.key and e.identifier = t.identifier
    where t.org_id = ${orgId} and t.key = any(${references}::text[])`);
  return rows.map(({ key }) => key);
}

const markRow = row(fields('derived_marks', 'blueprint_key', 'entity_key', 'name'));

/** A value to compute; `*` stands for everything on the entity. */
export type Mark = RowOf<typeof markRow>;

/** Marks values of selected entities. The transaction must hold the lock of their group, or of the plans. */
export function markSelected(
  tx: Tx,
  orgId: string,
  blueprintKey: number,
  keys: Sql,
  names: readonly string[],
): Promise<number> {
  return tx.execute(sql`
    insert into derived_marks (org_id, blueprint_key, entity_key, name)
    select ${orgId}, ${blueprintKey}::bigint, s.key, n.name
    from (${keys}) s cross join unnest(${names}::text[]) as n(name)
    on conflict do nothing`);
}

/**
 * The first `limit` marks after a key, in order; others may work on the same, and the last entity may have more.
 * Ordered by key, to be read from the index even without statistics.
 */
export function listMarks(reader: Reader, orgId: string, afterKey: number, limit: number): Promise<Mark[]> {
  return reader.rows(markRow.sql`
    select m.blueprint_key as "blueprintKey", m.entity_key as "entityKey", m.name from derived_marks m
    where m.org_id = ${orgId} and m.entity_key > ${afterKey} order by m.entity_key, m.name limit ${limit}`);
}

export async function removeMarks(tx: Tx, orgId: string, keys: readonly number[]): Promise<Mark[]> {
  if (keys.length === 0) return [];
  return tx.rows(markRow.sql`
    delete from derived_marks where org_id = ${orgId} and entity_key = any(${keys}::bigint[])
    returning blueprint_key as "blueprintKey", entity_key as "entityKey", name`);
}

export async function countMarks(reader: Reader, orgId: string): Promise<number> {
  const row = await reader.first(
    countRow.sql`select count(*)::int as count from derived_marks where org_id = ${orgId}`,
  );
  return row?.count ?? 0;
}

const computedMark = row({ mark: computed.text });

/** The marks of these entities, as `key/name`. */
export async function listMarkedKeys(
  reader: Reader,
  orgId: string,
  entities: readonly { readonly key: number }[],
): Promise<Set<string>> {
  const keys = entities.map(({ key }) => key);
  const rows = await reader.rows(computedMark.sql`
    select entity_key || '/' || name as mark from derived_marks
    where org_id = ${orgId} and entity_key = any(${keys}::bigint[])`);
  return new Set(rows.map(({ mark }) => mark));
}

/** Values that are still due are due under the new name. */
export async function renameMarks(
  tx: Tx,
  orgId: string,
  blueprintKey: number,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await tx.execute(sql`
    update derived_marks set name = ${to} where org_id = ${orgId} and blueprint_key = ${blueprintKey} and name = ${from}`);
}

const stateRow = row({
  state: computed.text.orNull(),
  model: computed.text.as<Organization['model']>().orNull(),
  scored: computed.numbers,
});

/** What tells one state of the organization's blueprints from another, with what is read beside the plans. */
export function readPlanState(
  reader: Reader,
  orgId: string,
): Promise<
  | { readonly state: string | null; readonly model: Organization['model'] | null; readonly scored: readonly number[] }
  | undefined
> {
  return reader.first(stateRow.sql`
    select md5(string_agg(key || ':' || version || ':' || xmin, ',' order by key)) as state,
      (select o.model from organizations o where o.id = ${orgId}) as model,
      array(select distinct s.blueprint_key from scorecards s where s.org_id = ${orgId}) as scored
    from blueprints where org_id = ${orgId}`);
}
