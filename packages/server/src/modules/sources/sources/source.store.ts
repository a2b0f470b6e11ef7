import sql, { raw } from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import { computed, field, fields, row } from '../../../platform/db/row.ts';
import type { StoredSource } from './source.ts';

const storedSource = row({
  ...fields(
    'sources',
    'key',
    'identifier',
    'type',
    'title',
    'schedule_minutes',
    'is_paused',
    'webhook_key',
    'next_sync_at',
    'created_at',
    'created_by',
    'updated_at',
    'updated_by',
  ),
  settings: field('sources', 'settings').as<StoredSource['settings']>(),
  secrets: field('sources', 'secrets').as<StoredSource['secrets']>(),
  mapping: field('sources', 'mapping').as<StoredSource['mapping']>(),
  deletion: field('sources', 'deletion').as<StoredSource['deletion']>(),
  state: field('sources', 'state').as<NonNullable<StoredSource['state']>>(),
  problem: field('sources', 'problem').as<NonNullable<StoredSource['problem']>>(),
  webhook: field('sources', 'webhook').as<NonNullable<StoredSource['webhook']>>(),
  authority: field('sources', 'authority').as<NonNullable<StoredSource['authority']>>(),
});

const columns = raw(`s.key, s.identifier, s.type, s.title, s.settings, s.secrets, s.mapping, s.deletion,
  s.schedule_minutes as "scheduleMinutes", s.is_paused as "isPaused", s.state, s.problem, s.webhook_key as "webhookKey",
  s.webhook, s.next_sync_at as "nextSyncAt", s.authority, s.created_at as "createdAt", s.created_by as "createdBy",
  s.updated_at as "updatedAt", s.updated_by as "updatedBy"`);

export function listSourceRows(reader: Reader, orgId: string): Promise<StoredSource[]> {
  return reader.rows(storedSource.sql`select ${columns} from sources s where s.org_id = ${orgId} order by s.key`);
}

export function findSource(reader: Reader, orgId: string, identifier: string): Promise<StoredSource | undefined> {
  return reader.first(storedSource.sql`
    select ${columns} from sources s where s.org_id = ${orgId} and s.identifier = ${identifier}`);
}

export function findSourceByKey(reader: Reader, orgId: string, key: number): Promise<StoredSource | undefined> {
  return reader.first(storedSource.sql`select ${columns} from sources s where s.org_id = ${orgId} and s.key = ${key}`);
}

const receivingSource = row({ ...storedSource.fields, orgId: field('sources', 'org_id') });

/** The source to whose address an event was sent; its key is the only thing that the sender knows. */
export function findReceivingSource(reader: Reader, webhookKey: string) {
  return reader.first(receivingSource.sql`
    select ${columns}, s.org_id as "orgId" from sources s where s.webhook_key = ${webhookKey} /* all organizations */`);
}

/** Locks the source until the transaction ends, so that one sync at a time begins. */
export function lockSource(tx: Tx, orgId: string, identifier: string): Promise<StoredSource | undefined> {
  return tx.first(storedSource.sql`
    select ${columns} from sources s where s.org_id = ${orgId} and s.identifier = ${identifier} for no key update`);
}

type NewSource = Omit<StoredSource, 'key' | 'state' | 'problem' | 'createdAt' | 'createdBy'>;

/** Returns undefined if the identifier is in use. */
export function insertSource(tx: Tx, orgId: string, fresh: NewSource): Promise<StoredSource | undefined> {
  return tx.first(storedSource.sql`
    insert into sources as s (org_id, identifier, type, title, settings, secrets, mapping, deletion, schedule_minutes,
      is_paused, webhook_key, webhook, next_sync_at, authority, created_at, created_by, updated_at, updated_by)
    values (${orgId}, ${fresh.identifier}, ${fresh.type}, ${fresh.title}, ${json(fresh.settings)}, ${json(fresh.secrets)},
      ${json(fresh.mapping)}, ${fresh.deletion}, ${fresh.scheduleMinutes}, ${fresh.isPaused}, ${fresh.webhookKey},
      ${nullable(fresh.webhook)}, ${fresh.nextSyncAt}, ${nullable(fresh.authority)}, ${fresh.updatedAt},
      ${fresh.updatedBy}, ${fresh.updatedAt}, ${fresh.updatedBy})
    on conflict (org_id, identifier) do nothing
    returning ${columns}`);
}

export async function updateSource(tx: Tx, orgId: string, now: StoredSource): Promise<void> {
  await tx.execute(sql`
    update sources set title = ${now.title}, settings = ${json(now.settings)}, secrets = ${json(now.secrets)},
      mapping = ${json(now.mapping)}, deletion = ${now.deletion}, schedule_minutes = ${now.scheduleMinutes},
      is_paused = ${now.isPaused}, state = ${nullable(now.state)}, problem = ${nullable(now.problem)},
      webhook = ${nullable(now.webhook)}, next_sync_at = ${now.nextSyncAt}, authority = ${nullable(now.authority)},
      updated_at = ${now.updatedAt}, updated_by = ${now.updatedBy}
    where org_id = ${orgId} and key = ${now.key}`);
}

export async function deleteSourceRows(tx: Tx, orgId: string, key: number): Promise<void> {
  const syncs = sql`(select s.key from source_syncs s where s.org_id = ${orgId} and s.source_key = ${key})`;
  await tx.execute(sql`delete from source_problems where org_id = ${orgId} and sync_key in ${syncs}`);
  await tx.execute(sql`delete from source_waiting where org_id = ${orgId} and sync_key in ${syncs}`);
  await tx.execute(sql`delete from source_changes where org_id = ${orgId} and sync_key in ${syncs}`);
  await tx.execute(sql`delete from source_syncs where org_id = ${orgId} and source_key = ${key}`);
  await tx.execute(sql`delete from source_items where org_id = ${orgId} and source_key = ${key}`);
  await tx.execute(sql`delete from sources where org_id = ${orgId} and key = ${key}`);
}

const entityCount = row({
  sourceKey: field('source_items', 'source_key'),
  blueprint: field('blueprints', 'identifier'),
  count: computed.number,
});

/** How many entities each source keeps up to date, by blueprint. */
export function countEntities(reader: Reader, orgId: string) {
  return reader.rows(entityCount.sql`
    select i.source_key as "sourceKey", b.identifier as blueprint, count(distinct i.entity_key)::int as count
    from source_items i join blueprints b on b.org_id = i.org_id and b.key = i.blueprint_key
    where i.org_id = ${orgId} and i.entity_key is not null group by i.source_key, b.identifier order by b.identifier`);
}

/** Serializes null as SQL null, not as JSON null. */
function nullable(value: unknown): string | null {
  return value === null ? null : json(value);
}
