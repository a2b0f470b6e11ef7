import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { json } from '../../platform/db/json.ts';
import { countRow, field, fields, type RowOf, row } from '../../platform/db/row.ts';
import type { Properties, Relations, StoredEntity } from '../entity-rows/index.ts';
import type { StoredDataMigration } from './data-migration.ts';

type Owner = Pick<StoredDataMigration, 'orgId' | 'id'>;

const entityFailure = row({
  ...fields('data_migration_failures', 'entity_key', 'identifier', 'code', 'message'),
  details: field('data_migration_failures', 'details').as<unknown>(),
});
export type EntityFailure = RowOf<typeof entityFailure>;

export async function insertFailures(tx: Tx, { orgId, id }: Owner, failures: readonly EntityFailure[]): Promise<void> {
  if (failures.length === 0) return;
  await tx.execute(sql`
    insert into data_migration_failures (org_id, migration_id, entity_key, identifier, code, message, details)
    select ${orgId}, ${id}, r."entityKey", r.identifier, r.code, r.message, r.details
    from jsonb_to_recordset(${json(failures)}::jsonb)
      as r("entityKey" bigint, identifier text, code text, message text, details jsonb)
    on conflict do nothing`);
}

/** In order of the entities. */
export function listFailures(reader: Reader, { orgId, id }: Owner, limit: number): Promise<EntityFailure[]> {
  return reader.rows(entityFailure.sql`
    select entity_key as "entityKey", identifier, code, message, details from data_migration_failures
    where org_id = ${orgId} and migration_id = ${id} order by entity_key limit ${limit}`);
}

/** The parts of an entity that people write; undo restores exactly these. */
export interface WrittenState {
  readonly title: string | null;
  readonly icon: string | null;
  readonly properties: Properties;
  readonly relations: Relations;
  readonly ownTeamRefs: readonly string[];
}

const image = row({
  ...fields('data_migration_images', 'entity_key', 'identifier', 'version'),
  before: field('data_migration_images', 'before').as<WrittenState>(),
});

/** State before the migration's write, and the version that write produced. */
export type Image = RowOf<typeof image>;

export interface WrittenEntity {
  readonly sourceKey: number;
  readonly before: StoredEntity | undefined;
  readonly after: StoredEntity;
}

/**
 * Stores images. A repeated write keeps the first image, unless somebody else wrote in between: no state could then be
 * restored without losing that write.
 */
export async function keepImages(tx: Tx, { orgId, id }: Owner, written: readonly WrittenEntity[]): Promise<void> {
  if (written.length === 0) return;
  const rows = written.map(({ sourceKey, before, after }) => ({
    entityKey: after.key,
    identifier: after.identifier,
    sourceKey,
    before: before ? writtenState(before) : null,
    versionBefore: before?.version ?? null,
    version: after.version,
  }));
  await tx.execute(sql`
    insert into data_migration_images as i (org_id, migration_id, entity_key, identifier, source_key, before, version)
    select ${orgId}, ${id}, r."entityKey", r.identifier, r."sourceKey", r.before, r.version
    from jsonb_to_recordset(${json(rows)}::jsonb)
      as r("entityKey" bigint, identifier text, "sourceKey" bigint, before jsonb, version bigint)
    where not exists (select 1 from data_migration_images o
      where o.org_id = ${orgId} and o.migration_id = ${id} and o.entity_key = r."entityKey")`);
  await tx.execute(sql`
    update data_migration_images i
    set version = case when i.version = r."versionBefore" then r.version when i.version = r.version then i.version else -1 end
    from jsonb_to_recordset(${json(rows)}::jsonb) as r("entityKey" bigint, "versionBefore" bigint, version bigint)
    where i.org_id = ${orgId} and i.migration_id = ${id} and i.entity_key = r."entityKey"`);
}

function writtenState({ title, icon, properties, relations, ownTeamRefs }: StoredEntity): WrittenState {
  return { title, icon, properties, relations, ownTeamRefs };
}

/** Images this undo has neither restored nor failed on, newest entities first: they may require the older ones. */
export function nextImages(
  reader: Reader,
  { orgId, id, originId }: Pick<StoredDataMigration, 'orgId' | 'id' | 'originId'>,
  limit: number,
): Promise<Image[]> {
  return reader.rows(image.sql`
    select i.entity_key as "entityKey", i.identifier, i.before, i.version from data_migration_images i
    where i.org_id = ${orgId} and i.migration_id = ${originId} and i.undone_by is null
      and not exists (select 1 from data_migration_failures f
        where f.org_id = ${orgId} and f.migration_id = ${id} and f.entity_key = i.entity_key)
    order by i.entity_key desc limit ${limit}`);
}

export async function markUndone(
  tx: Tx,
  { orgId, id, originId }: Pick<StoredDataMigration, 'orgId' | 'id' | 'originId'>,
  entityKeys: readonly number[],
): Promise<void> {
  if (entityKeys.length === 0) return;
  await tx.execute(sql`
    update data_migration_images set undone_by = ${id}
    where org_id = ${orgId} and migration_id = ${originId} and entity_key = any(${entityKeys}::bigint[])`);
}

export async function countImages(reader: Reader, { orgId, id }: Owner, undoneBy: string | null): Promise<number> {
  const row = await reader.first(countRow.sql`
    select count(*)::int as count from data_migration_images
    where org_id = ${orgId} and migration_id = ${id} and undone_by is not distinct from ${undoneBy}::text`);
  return row?.count ?? 0;
}

const dataMigrationOrgId = row(fields('data_migrations', 'org_id'));

/** Across all organizations. */
export async function listOrganizationsWithImages(reader: Reader, endedBefore: Date): Promise<string[]> {
  const rows = await reader.rows(dataMigrationOrgId.sql`
    select distinct m.org_id as "orgId" from data_migrations m /* all organizations */
    where m.updated_at < ${endedBefore} and m.status in ('COMPLETED', 'FAILURE', 'CANCELLED') and exists (
      select 1 from data_migration_images i where i.org_id = m.org_id and i.migration_id = m.id)`);
  return rows.map(({ orgId }) => orgId);
}

/** Deletes one batch and returns its size. */
export async function deleteImages(tx: Tx, orgId: string, endedBefore: Date, limit: number): Promise<number> {
  const rows = await tx.rows(sql`
    delete from data_migration_images d using (
      select i.migration_id, i.entity_key from data_migration_images i
      join data_migrations m on m.org_id = i.org_id and m.id = i.migration_id
      where i.org_id = ${orgId} and m.org_id = ${orgId} and m.updated_at < ${endedBefore}
        and m.status in ('COMPLETED', 'FAILURE', 'CANCELLED') limit ${limit}) o
    where d.org_id = ${orgId} and d.migration_id = o.migration_id and d.entity_key = o.entity_key
    returning 1`);
  return rows.length;
}
