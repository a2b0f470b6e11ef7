import sql, { type Sql } from 'sql-template-tag';
import type { Reader } from '../../platform/db/database.ts';
import { findDataMigration } from './data-migration.store.ts';
import type { StoredDataMigration } from './data-migration.ts';

/**
 * The condition on `entities e` that names what a mapping is about: all that were there when it began, or, where it runs
 * another again, those that failed there and those that it did not get to.
 */
export async function migrationScope(
  reader: Reader,
  { orgId, originId, untilKey }: Pick<StoredDataMigration, 'orgId' | 'originId' | 'untilKey'>,
): Promise<Sql> {
  if (originId === null) return sql`e.key <= ${untilKey}`;
  const origin = (await findDataMigration(reader, orgId, originId)) as StoredDataMigration;
  if (origin.kind === 'undo') {
    return sql`e.key in (select i.source_key from data_migration_images i
      where i.org_id = ${orgId} and i.migration_id = ${origin.originId} and i.undone_by = ${origin.id})`;
  }
  const failed = sql`e.key in (select f.entity_key from data_migration_failures f
    where f.org_id = ${orgId} and f.migration_id = ${origin.id})`;
  if (origin.status === 'COMPLETED') return failed;
  return sql`(${failed} or (e.key > ${origin.lastKey} and ${await migrationScope(reader, origin)}))`;
}
