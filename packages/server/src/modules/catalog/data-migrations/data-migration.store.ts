import type { DataMigrationStatus } from '@portolan/contract';
import sql, { join, raw } from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import type { StoredDataMigration } from './data-migration.ts';

const columns =
  raw(`org_id as "orgId", id, kind, source_blueprint as "sourceBlueprint", blueprint_key as "blueprintKey",
  mapping, status, delete_blueprint as "deleteBlueprint", success_count as "successCount",
  failure_count as "failureCount", last_key as "lastKey", until_key as "untilKey", message, actor,
  created_at as "createdAt", created_by as "createdBy", updated_at as "updatedAt", updated_by as "updatedBy"`);

export function findDataMigration(reader: Reader, orgId: string, id: string): Promise<StoredDataMigration | undefined> {
  return reader.first<StoredDataMigration>(
    sql`select ${columns} from data_migrations where org_id = ${orgId} and id = ${id}`,
  );
}

/** Locked until the transaction ends: two runs of one migration do not work on the same entities. */
export function lockDataMigration(tx: Tx, orgId: string, id: string): Promise<StoredDataMigration | undefined> {
  return tx.first<StoredDataMigration>(
    sql`select ${columns} from data_migrations where org_id = ${orgId} and id = ${id} for update`,
  );
}

export interface DataMigrationFilter {
  readonly status?: readonly string[] | undefined;
  readonly actor?: string | undefined;
  readonly blueprint?: string | undefined;
}

const listedMax = 1000;

/** Newest first. */
export function listDataMigrationRows(
  reader: Reader,
  orgId: string,
  { status, actor, blueprint }: DataMigrationFilter,
): Promise<StoredDataMigration[]> {
  const conditions = [
    sql`org_id = ${orgId}`,
    ...(status ? [sql`status = any(${status}::text[])`] : []),
    ...(actor === undefined ? [] : [sql`created_by = ${actor}`]),
    ...(blueprint === undefined ? [] : [sql`source_blueprint = ${blueprint}`]),
  ];
  return reader.rows<StoredDataMigration>(sql`
    select ${columns} from data_migrations where ${join(conditions, ' and ')} order by key desc limit ${listedMax}`);
}

type NewDataMigration = Pick<
  StoredDataMigration,
  'orgId' | 'id' | 'kind' | 'sourceBlueprint' | 'blueprintKey' | 'mapping' | 'deleteBlueprint' | 'actor' | 'createdAt'
>;

export async function insertDataMigration(tx: Tx, migration: NewDataMigration): Promise<StoredDataMigration> {
  const { orgId, id, kind, sourceBlueprint, blueprintKey, mapping, deleteBlueprint, actor, createdAt } = migration;
  const [row] = await tx.rows<StoredDataMigration>(sql`
    insert into data_migrations (org_id, id, kind, source_blueprint, blueprint_key, mapping, status, delete_blueprint,
      until_key, actor, created_at, created_by, updated_at, updated_by)
    values (${orgId}, ${id}, ${kind}, ${sourceBlueprint}, ${blueprintKey}, ${json(mapping)}, 'PENDING',
      ${deleteBlueprint},
      coalesce((select max(e.key) from entities e where e.org_id = ${orgId} and e.blueprint_key = ${blueprintKey}), 0),
      ${json(actor)}, ${createdAt}, ${actor.id}, ${createdAt}, ${actor.id})
    returning ${columns}`);
  return row as StoredDataMigration;
}

/** What moves while a migration runs; what is absent stays. */
export interface Progress {
  readonly status?: DataMigrationStatus | undefined;
  readonly succeeded?: number | undefined;
  readonly failed?: number | undefined;
  readonly lastKey?: number | undefined;
  readonly message?: string | undefined;
}

export async function updateDataMigration(
  tx: Tx,
  { orgId, id }: Pick<StoredDataMigration, 'orgId' | 'id'>,
  { status, succeeded, failed, lastKey, message }: Progress,
  at: Date,
): Promise<StoredDataMigration> {
  const [row] = await tx.rows<StoredDataMigration>(sql`
    update data_migrations set status = coalesce(${status ?? null}, status),
      success_count = success_count + ${succeeded ?? 0}::bigint, failure_count = failure_count + ${failed ?? 0}::bigint,
      last_key = greatest(last_key, ${lastKey ?? 0}::bigint), message = coalesce(${message ?? null}, message),
      updated_at = ${at}
    where org_id = ${orgId} and id = ${id}
    returning ${columns}`);
  return row as StoredDataMigration;
}
