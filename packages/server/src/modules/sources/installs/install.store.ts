import sql, { raw } from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import { field, fields, type RowOf, row } from '../../../platform/db/row.ts';
import type { MadeBlueprint } from './made-blueprint.ts';

const storedInstall = row({
  ...fields(
    'installs',
    'installation_id',
    'type',
    'title',
    'resync_minutes',
    'client_id',
    'secrets',
    'created_at',
    'created_by',
  ),
  settings: field('installs', 'settings').as<Readonly<Record<string, unknown>>>(),
  created: field('installs', 'created').as<readonly MadeBlueprint[]>(),
});
export type StoredInstall = RowOf<typeof storedInstall>;

const columns = raw(`installation_id as "installationId", type, title, resync_minutes as "resyncMinutes",
  client_id as "clientId", secrets, created_at as "createdAt", created_by as "createdBy", settings, created`);

export function listInstallRows(reader: Reader, orgId: string): Promise<StoredInstall[]> {
  return reader.rows(storedInstall.sql`
    select ${columns} from installs where org_id = ${orgId} order by created_at, installation_id`);
}

export function findInstall(reader: Reader, orgId: string, id: string): Promise<StoredInstall | undefined> {
  return reader.first(storedInstall.sql`
    select ${columns} from installs where org_id = ${orgId} and installation_id = ${id}`);
}

export function lockInstall(tx: Tx, orgId: string, id: string): Promise<StoredInstall | undefined> {
  return tx.first(storedInstall.sql`
    select ${columns} from installs where org_id = ${orgId} and installation_id = ${id} for update`);
}

export async function insertInstall(tx: Tx, orgId: string, install: StoredInstall): Promise<void> {
  await tx.execute(sql`
    insert into installs (org_id, installation_id, type, title, settings, secrets, resync_minutes, client_id, created,
      created_at, created_by)
    values (${orgId}, ${install.installationId}, ${install.type}, ${install.title}, ${json(install.settings)},
      ${install.secrets}, ${install.resyncMinutes}, ${install.clientId}, ${json(install.created)},
      ${install.createdAt}, ${install.createdBy})`);
}

export async function deleteInstallRow(tx: Tx, orgId: string, id: string): Promise<void> {
  await tx.execute(sql`delete from installs where org_id = ${orgId} and installation_id = ${id}`);
}
