import type { DataMigrationStatus } from '@portolan/contract/data-migrations';
import sql, { join, raw } from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { json } from '../../platform/db/json.ts';
import { field, fields, row } from '../../platform/db/row.ts';
import type { StoredDataMigration } from './data-migration.ts';

const columns =
  raw(`org_id as "orgId", id, kind, source_blueprint as "sourceBlueprint", blueprint_key as "blueprintKey",
  target_blueprint as "targetBlueprint", target_key as "targetKey", origin_id as "originId", mapping, status,
  delete_blueprint as "deleteBlueprint", total_count as "totalCount", success_count as "successCount",
  failure_count as "failureCount", last_key as "lastKey", until_key as "untilKey", message, reason, actor,
  created_at as "createdAt", created_by as "createdBy", updated_at as "updatedAt", updated_by as "updatedBy"`);

const storedDataMigration = row({
  ...fields(
    'data_migrations',
    'org_id',
    'id',
    'kind',
    'source_blueprint',
    'blueprint_key',
    'target_blueprint',
    'target_key',
    'origin_id',
    'status',
    'delete_blueprint',
    'total_count',
    'success_count',
    'failure_count',
    'last_key',
    'until_key',
    'message',
    'reason',
    'created_at',
    'created_by',
    'updated_at',
    'updated_by',
  ),
  mapping: field('data_migrations', 'mapping').as<StoredDataMigration['mapping']>(),
  actor: field('data_migrations', 'actor').as<StoredDataMigration['actor']>(),
});

export function findDataMigration(reader: Reader, orgId: string, id: string): Promise<StoredDataMigration | undefined> {
  return reader.first(
    storedDataMigration.sql`select ${columns} from data_migrations where org_id = ${orgId} and id = ${id}`,
  );
}

/** Locks the migration, so that two runs never work on the same entities. */
export function lockDataMigration(tx: Tx, orgId: string, id: string): Promise<StoredDataMigration | undefined> {
  return tx.first(
    storedDataMigration.sql`select ${columns} from data_migrations where org_id = ${orgId} and id = ${id} for update`,
  );
}

export interface DataMigrationFilter {
  readonly status?: readonly string[] | undefined;
  readonly actor?: string | undefined;
  readonly blueprint?: string | undefined;
}

const listedMax = 1000;

/** Newest first; `moderated` limits the list to migrations between these blueprints. */
export function listDataMigrationRows(
  reader: Reader,
  orgId: string,
  { status, actor, blueprint }: DataMigrationFilter,
  moderated: readonly string[] | undefined,
): Promise<StoredDataMigration[]> {
  const conditions = [
    sql`org_id = ${orgId}`,
    ...(status ? [sql`status = any(${status}::text[])`] : []),
    ...(actor === undefined ? [] : [sql`created_by = ${actor}`]),
    ...(blueprint === undefined ? [] : [sql`source_blueprint = ${blueprint}`]),
    ...(moderated
      ? [
          sql`lower(source_blueprint) = any(${moderated}::text[])
            and lower(coalesce(target_blueprint, source_blueprint)) = any(${moderated}::text[])`,
        ]
      : []),
  ];
  return reader.rows(storedDataMigration.sql`
    select ${columns} from data_migrations where ${join(conditions, ' and ')} order by key desc limit ${listedMax}`);
}

/** Blocks other migrations of these blueprints until the transaction ends. Locks in order of keys. */
export async function lockBlueprintMigrations(tx: Tx, orgId: string, blueprintKeys: readonly number[]): Promise<void> {
  for (const key of [...new Set(blueprintKeys)].sort((one, other) => one - other)) {
    await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`data-migrations:${orgId}:${key}`}, 0))`);
  }
}

const dataMigrationRow = row(fields('data_migrations', 'id', 'kind', 'source_blueprint'));

/** An unfinished migration that reads what this one writes, or writes what it reads. */
export function findGoingOn(
  reader: Reader,
  orgId: string,
  { blueprintKey, targetKey }: Pick<StoredDataMigration, 'blueprintKey' | 'targetKey'>,
): Promise<Pick<StoredDataMigration, 'id' | 'kind' | 'sourceBlueprint'> | undefined> {
  return reader.first(dataMigrationRow.sql`
    select id, kind, source_blueprint as "sourceBlueprint" from data_migrations
    where org_id = ${orgId} and status not in ('COMPLETED', 'FAILURE', 'CANCELLED')
      and (blueprint_key = any(${[blueprintKey, targetKey ?? blueprintKey]}::bigint[]) or target_key = ${blueprintKey})
    order by key limit 1`);
}

/** The unfinished migration that will delete the blueprint; null if there is none. */
export async function findDeletion(reader: Reader, orgId: string, blueprintKey: number): Promise<string | null> {
  const row = await reader.first<{ id: string }>(sql`
    select id from data_migrations
    where org_id = ${orgId} and blueprint_key = ${blueprintKey} and kind = 'wipe' and delete_blueprint
      and status not in ('COMPLETED', 'FAILURE', 'CANCELLED')
    order by key limit 1`);
  return row?.id ?? null;
}

export type NewDataMigration = Pick<
  StoredDataMigration,
  | 'orgId'
  | 'id'
  | 'kind'
  | 'sourceBlueprint'
  | 'blueprintKey'
  | 'targetBlueprint'
  | 'targetKey'
  | 'originId'
  | 'mapping'
  | 'deleteBlueprint'
  | 'actor'
  | 'createdAt'
>;

export async function insertDataMigration(tx: Tx, migration: NewDataMigration): Promise<StoredDataMigration> {
  const { orgId, id, kind, sourceBlueprint, blueprintKey, targetBlueprint, targetKey, originId } = migration;
  const { mapping, deleteBlueprint, actor, createdAt } = migration;
  const [row] = await tx.rows(storedDataMigration.sql`
    insert into data_migrations (org_id, id, kind, source_blueprint, blueprint_key, target_blueprint, target_key,
      origin_id, mapping, status, delete_blueprint, until_key, actor, created_at, created_by, updated_at, updated_by)
    select ${orgId}, ${id}, ${kind}, ${sourceBlueprint}, ${blueprintKey}, ${targetBlueprint}, ${targetKey},
      ${originId}, ${json(mapping)}, 'PENDING', ${deleteBlueprint}, coalesce(max(e.key), 0),
      ${json(actor)}, ${createdAt}, ${actor.id}, ${createdAt}, ${actor.id}
    from entities e where e.org_id = ${orgId} and e.blueprint_key = ${blueprintKey}
    returning ${columns}`);
  return row as StoredDataMigration;
}

/** Absent members stay. */
export interface Progress {
  readonly status?: DataMigrationStatus | undefined;
  readonly total?: number | undefined;
  readonly succeeded?: number | undefined;
  readonly failed?: number | undefined;
  readonly lastKey?: number | undefined;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
}

export async function updateDataMigration(
  tx: Tx,
  { orgId, id }: Pick<StoredDataMigration, 'orgId' | 'id'>,
  { status, total, succeeded, failed, lastKey, message, reason }: Progress,
  at: Date,
): Promise<StoredDataMigration> {
  const [row] = await tx.rows(storedDataMigration.sql`
    update data_migrations set status = coalesce(${status ?? null}, status),
      total_count = coalesce(${total ?? null}::bigint, total_count),
      success_count = success_count + ${succeeded ?? 0}::bigint, failure_count = failure_count + ${failed ?? 0}::bigint,
      last_key = greatest(last_key, ${lastKey ?? 0}::bigint), message = coalesce(${message ?? null}, message),
      reason = coalesce(${reason ?? null}, reason), updated_at = ${at}
    where org_id = ${orgId} and id = ${id}
    returning ${columns}`);
  return row as StoredDataMigration;
}
