import sql, { raw } from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { json } from '../../platform/db/json.ts';
import { field, fields, row } from '../../platform/db/row.ts';
import type { StoredIntegration } from './integration.ts';

const columns = raw(`i.key, i.id, i.installation_id as "installationId", i.title, i.version, i.app_type as "appType",
  i.config, i.changelog_destination as "changelogDestination", i.details, i.resync_state as "resyncState",
  i.resync_request_id as "resyncRequestId", i.resync_requested_at as "resyncRequestedAt", i.created_at as "createdAt",
  i.created_by as "createdBy", i.updated_at as "updatedAt", i.updated_by as "updatedBy", i.authority`);

const storedIntegration = row({
  ...fields(
    'integrations',
    'key',
    'id',
    'installation_id',
    'title',
    'version',
    'app_type',
    'resync_request_id',
    'resync_requested_at',
    'created_at',
    'created_by',
    'updated_at',
    'updated_by',
  ),
  config: field('integrations', 'config').as<StoredIntegration['config']>(),
  changelogDestination: field('integrations', 'changelog_destination').as<StoredIntegration['changelogDestination']>(),
  details: field('integrations', 'details').as<StoredIntegration['details']>(),
  resyncState: field('integrations', 'resync_state').as<StoredIntegration['resyncState']>(),
  authority: field('integrations', 'authority').as<StoredIntegration['authority']>(),
});

export function listIntegrationRows(reader: Reader, orgId: string): Promise<StoredIntegration[]> {
  return reader.rows(
    storedIntegration.sql`select ${columns} from integrations i where i.org_id = ${orgId} order by i.key`,
  );
}

export function findIntegration(reader: Reader, orgId: string, name: string): Promise<StoredIntegration | undefined> {
  return reader.first(
    storedIntegration.sql`select ${columns} from integrations i where i.org_id = ${orgId} and i.installation_id = ${name}`,
  );
}

/** Finds by the internal id, under which clients also send their logs. */
export function findIntegrationById(reader: Reader, orgId: string, id: string): Promise<StoredIntegration | undefined> {
  return reader.first(
    storedIntegration.sql`select ${columns} from integrations i where i.org_id = ${orgId} and i.id = ${id}`,
  );
}

/** Locks the integration for a change until the transaction ends. */
export function lockIntegration(tx: Tx, orgId: string, name: string): Promise<StoredIntegration | undefined> {
  return tx.first(storedIntegration.sql`
    select ${columns} from integrations i where i.org_id = ${orgId} and i.installation_id = ${name} for no key update`);
}

type NewIntegration = Omit<StoredIntegration, 'key' | 'resyncState' | 'createdAt' | 'createdBy'>;

/** Returns undefined if the installation id is in use. */
export function insertIntegration(
  tx: Tx,
  orgId: string,
  fresh: NewIntegration,
): Promise<StoredIntegration | undefined> {
  return tx.first(storedIntegration.sql`
    insert into integrations as i (org_id, id, installation_id, title, version, app_type, config, changelog_destination,
      details, resync_request_id, resync_requested_at, created_at, created_by, updated_at, updated_by, authority)
    values (${orgId}, ${fresh.id}, ${fresh.installationId}, ${fresh.title}, ${fresh.version}, ${fresh.appType},
      ${nullable(fresh.config)}, ${nullable(fresh.changelogDestination)}, ${json(fresh.details)},
      ${fresh.resyncRequestId}, ${fresh.resyncRequestedAt}, ${fresh.updatedAt}, ${fresh.updatedBy}, ${fresh.updatedAt},
      ${fresh.updatedBy}, ${nullable(fresh.authority)})
    on conflict (org_id, installation_id) do nothing
    returning ${columns}`);
}

export async function updateIntegrationRow(tx: Tx, orgId: string, now: StoredIntegration): Promise<void> {
  await tx.execute(sql`
    update integrations set title = ${now.title}, version = ${now.version}, app_type = ${now.appType},
      config = ${nullable(now.config)}, changelog_destination = ${nullable(now.changelogDestination)},
      details = ${json(now.details)}, resync_state = ${nullable(now.resyncState)},
      resync_request_id = ${now.resyncRequestId}, resync_requested_at = ${now.resyncRequestedAt},
      updated_at = ${now.updatedAt}, updated_by = ${now.updatedBy},
      authority = ${nullable(now.authority)}
    where org_id = ${orgId} and key = ${now.key}`);
}

export async function deleteIntegrationRow(tx: Tx, orgId: string, key: number): Promise<void> {
  await tx.execute(sql`delete from integrations where org_id = ${orgId} and key = ${key}`);
}

/** Serializes null as SQL null, not as JSON null. */
function nullable(value: object | null): string | null {
  return value === null ? null : json(value);
}
