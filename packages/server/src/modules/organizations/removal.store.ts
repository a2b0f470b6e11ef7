import sql, { raw, type Sql } from 'sql-template-tag';
import type { Database, Reader, Tx } from '../../platform/db/database.ts';
import { computed, fields, row } from '../../platform/db/row.ts';

/** Few enough that nobody waits long for the rows of one statement. */
const batchMax = 1_000;

const tableRow = row({ name: computed.text });
const referenceRow = row({ from: computed.text, to: computed.text });

/** Every table with an `org_id`, asked of the database so that none is forgotten; those that refer to others first. */
async function listTenantTables(reader: Reader): Promise<string[]> {
  const tables = await reader.rows(tableRow.sql`
    select c.table_name as name from information_schema.columns c
    join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
    where c.table_schema = current_schema() and c.column_name = 'org_id' and t.table_type = 'BASE TABLE'
    order by c.table_name`);
  const references = await reader.rows(referenceRow.sql`
    select f.relname as "from", t.relname as "to" from pg_constraint c
    join pg_class f on f.oid = c.conrelid join pg_class t on t.oid = c.confrelid
    where c.contype = 'f' and c.conrelid <> c.confrelid and f.relnamespace = current_schema()::regnamespace`);
  const ordered: string[] = [];
  const place = (name: string, above: readonly string[]): void => {
    if (ordered.includes(name) || above.includes(name)) return;
    for (const { from } of references.filter(({ to }) => to === name)) place(from, [...above, name]);
    ordered.push(name);
  };
  for (const { name } of tables) place(name, []);
  return ordered;
}

/** Deletes an organization with all its rows at once; nothing else may be refused because of it. */
export async function deleteOrganizationRows(tx: Tx, id: string, at: Date): Promise<void> {
  await noteRemoval(tx, id, at);
  for (const table of await listTenantTables(tx)) {
    await tx.execute(sql`delete from ${raw(`"${table}"`)} where org_id = ${id}`);
  }
  await tx.execute(sql`delete from organizations where id = ${id}`);
}

/**
 * Begins the removal: nobody gets in any more, and no job of it is taken. The rest is deleted in batches, by
 * `deleteRemovedRows`.
 */
export async function beginRemoval(tx: Tx, id: string, at: Date): Promise<void> {
  await noteRemoval(tx, id, at);
  await tx.execute(sql`update organizations set removal_requested_at = ${at} where id = ${id}`);
  for (const statement of entrances(id)) await tx.execute(statement);
}

function entrances(id: string): Sql[] {
  return [
    sql`delete from sessions where org_id = ${id}`,
    sql`delete from password_links where org_id = ${id}`,
    sql`delete from sso_connections where org_id = ${id}`,
    sql`delete from oauth_grants where org_id = ${id}`,
    sql`delete from api_tokens where org_id = ${id}`,
    sql`delete from credential_directory where org_id = ${id}`,
    sql`delete from credentials where org_id = ${id}`,
    sql`delete from jobs where org_id = ${id}`,
  ];
}

async function noteRemoval(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.execute(sql`
    insert into removed_organizations (id, removed_at) values (${id}, ${at}) on conflict do nothing`);
}

/**
 * Deletes what is left of a removed organization, a batch at a time. Each statement looks again whether it is removed, since an
 * organization may have come back meanwhile. @throws when aborted; it may begin again
 */
export async function deleteRemovedRows(database: Database, id: string, signal: AbortSignal): Promise<void> {
  for (const table of await listTenantTables(database)) {
    const name = raw(`"${table}"`);
    let deleted: number;
    do {
      signal.throwIfAborted();
      deleted = await database.executeAlone(sql`
        delete from ${name} where org_id = ${id} and ctid = any(array(
          select ctid from ${name} where org_id = ${id} limit ${batchMax}))
          and exists (select 1 from removed_organizations where id = ${id})`);
    } while (deleted > 0);
  }
  await database.executeAlone(sql`
    delete from organizations where id = ${id} and exists (select 1 from removed_organizations where id = ${id})`);
}

const removedRow = row(fields('removed_organizations', 'id'));

export function listRemoved(reader: Reader): Promise<{ readonly id: string }[]> {
  return reader.rows(removedRow.sql`select id from removed_organizations order by id`);
}

export async function wasRemoved(reader: Reader, id: string): Promise<boolean> {
  return (await reader.first(removedRow.sql`select id from removed_organizations where id = ${id}`)) !== undefined;
}

export async function forgetRemoved(database: Database, before: Date): Promise<void> {
  await database.executeAlone(sql`delete from removed_organizations where removed_at < ${before}`);
}
