import type { Connection } from '../../../platform/db/engine.ts';
import { quote, type Table } from '../tables.store.ts';
import { atRest, ownerColumn } from './moved-tables.ts';

export interface OrganizationState {
  readonly id: string;
  readonly name: string;
  readonly demoOf: string | null;
  readonly isBeingRemoved: boolean;
  readonly isMigrating: boolean;
  readonly isFrozen: boolean;
}

/** Whether the database has tables of ours. */
export async function isSetUp(connection: Connection): Promise<boolean> {
  const { rows } = await connection.query(`select to_regclass('installation') is not null as "isThere"`);
  return rows[0]?.['isThere'] === true;
}

export async function findOrganization(connection: Connection, id: string): Promise<OrganizationState | undefined> {
  const { rows } = await connection.query(
    `select id, name, demo_of as "demoOf", removal_requested_at is not null as "isBeingRemoved",
      migration_phase is not null as "isMigrating", frozen_at is not null as "isFrozen"
    from organizations where id = $1`,
    [id],
  );
  return rows[0] as OrganizationState | undefined;
}

export async function listOtherOrganizations(connection: Connection, id: string): Promise<ReadonlySet<string>> {
  const { rows } = await connection.query('select id from organizations where id <> $1', [id]);
  return new Set(rows.map((row) => row['id'] as string));
}

/** Opens a cursor over the rows that an organization has in a table, in the order of its primary key by bytes. */
export async function openOwnRows(connection: Connection, cursor: string, table: Table, orgId: string): Promise<void> {
  const { name, columns } = table;
  const texts = columns.map(
    (column) => `(${atRest[`${name}.${column.name}`] ?? quote(column.name)})::text as ${quote(column.name)}`,
  );
  const key = columns
    .filter(({ place }) => place !== null)
    .sort((a, b) => Number(a.place) - Number(b.place))
    .map((column) => `t.${quote(column.name)}${column.isText ? ' collate "C"' : ''}`);
  // a cursor is declared without parameters, and the id is the operator's
  await connection.query(`select set_config('portolan.moved', $1, true)`, [orgId]);
  await connection.script(`
    declare ${cursor} no scroll cursor for
    select ${texts.join(', ')} from ${quote(name)} t
    where ${quote(ownerColumn(name))} = current_setting('portolan.moved') order by ${key.join(', ')}`);
}

/** Tables that have rows of an organization. */
export async function listTablesWithRows(
  connection: Connection,
  tables: readonly Table[],
  orgId: string,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await connection.query(
      `select exists (select 1 from ${quote(name)} where ${quote(ownerColumn(name))} = $1) as "has"`,
      [orgId],
    );
    if (rows[0]?.['has'] === true) found.push(name);
  }
  return found;
}

/**
 * Lets an identity go on after keys that are given elsewhere, and never back. Others take keys meanwhile, which a value close
 * to theirs could fall behind: so it jumps over as many as they can have taken.
 */
export async function liftSequence(connection: Connection, table: string, column: string, last: string): Promise<void> {
  await connection.query(
    `select setval(s.sequence, greatest($3::bigint, coalesce(pg_sequence_last_value(s.sequence), 0) + 10000))
    from (select pg_get_serial_sequence($1, $2)::regclass as sequence) s
    where coalesce(pg_sequence_last_value(s.sequence), 0) < $3::bigint`,
    [quote(table), column, last],
  );
}

/** The id was removed here before, and is not any more. */
export async function forgetRemoval(connection: Connection, orgId: string): Promise<void> {
  await connection.query('delete from removed_organizations where id = $1', [orgId]);
}

/** How many rows of an organization meet a condition, which is a text of ours. */
export async function countOwn(
  connection: Connection,
  table: string,
  condition: string,
  orgId: string,
): Promise<number> {
  const { rows } = await connection.query(
    `select count(*)::int as count from ${quote(table)} where org_id = $1 and (${condition})`,
    [orgId],
  );
  return rows[0]?.['count'] as number;
}

/** Whether events that hosts send to a source of another organization would find one of this. */
export async function sharesAddress(connection: Connection, orgId: string): Promise<boolean> {
  const { rows } = await connection.query(
    `select exists (select 1 from sources own join sources other on other.webhook_key = own.webhook_key
      where own.org_id = $1 and other.org_id <> $1) as "has"`,
    [orgId],
  );
  return rows[0]?.['has'] === true;
}

/** Frozen again keeps the moment of before. */
export async function setFrozen(connection: Connection, orgId: string, isFrozen: boolean): Promise<void> {
  const value = isFrozen ? 'coalesce(frozen_at, now())' : 'null';
  await connection.query(`update organizations set frozen_at = ${value} where id = $1`, [orgId]);
}

/** A transaction later than every one that began before now. */
export async function readTransaction(connection: Connection): Promise<string> {
  const { rows } = await connection.query('select pg_current_xact_id()::text as id');
  return rows[0]?.['id'] as string;
}

/** Whether all that began before a transaction have ended. */
export async function haveEnded(connection: Connection, transaction: string): Promise<boolean> {
  const { rows } = await connection.query(
    'select pg_snapshot_xmin(pg_current_snapshot()) > $1::text::xid8 as "haveEnded"',
    [transaction],
  );
  return rows[0]?.['haveEnded'] === true;
}

export async function countRunningJobs(connection: Connection, orgId: string): Promise<number> {
  const { rows } = await connection.query(
    `select count(*)::int as count from jobs where org_id = $1 and state = 'running' and locked_until > now()`,
    [orgId],
  );
  return rows[0]?.['count'] as number;
}
