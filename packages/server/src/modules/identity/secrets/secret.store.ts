import sql, { raw } from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { fields, type RowOf, row } from '../../../platform/db/row.ts';

const secretRow = row(fields('organization_secrets', 'name', 'description', 'created_at', 'updated_at'));

/** What may be shown of a secret. */
export type SecretRow = RowOf<typeof secretRow>;

const columns = raw('name, description, created_at as "createdAt", updated_at as "updatedAt"');

export function listSecretRows(reader: Reader, orgId: string): Promise<SecretRow[]> {
  return reader.rows(secretRow.sql`select ${columns} from organization_secrets where org_id = ${orgId} order by name`);
}

export function findSecretRow(reader: Reader, orgId: string, name: string): Promise<SecretRow | undefined> {
  return reader.first(
    secretRow.sql`select ${columns} from organization_secrets where org_id = ${orgId} and name = ${name}`,
  );
}

export function lockSecretRow(tx: Tx, orgId: string, name: string): Promise<SecretRow | undefined> {
  return tx.first(
    secretRow.sql`select ${columns} from organization_secrets where org_id = ${orgId} and name = ${name} for update`,
  );
}

const organizationSecretSealed = row(fields('organization_secrets', 'sealed'));

export async function findSealed(reader: Reader, orgId: string, name: string): Promise<string | undefined> {
  const row = await reader.first(
    organizationSecretSealed.sql`select sealed from organization_secrets where org_id = ${orgId} and name = ${name}`,
  );
  return row?.sealed;
}

const organizationSecretRow = row(fields('organization_secrets', 'name', 'sealed'));

export function listSealed(reader: Reader, orgId: string): Promise<{ name: string; sealed: string }[]> {
  return reader.rows(
    organizationSecretRow.sql`select name, sealed from organization_secrets where org_id = ${orgId} order by name`,
  );
}

/** Returns whether it was new. */
export async function insertSecretRow(
  tx: Tx,
  orgId: string,
  { name, description, createdAt }: SecretRow,
  sealed: string,
): Promise<boolean> {
  const inserted = await tx.execute(sql`
    insert into organization_secrets (org_id, name, description, sealed, created_at, updated_at)
    values (${orgId}, ${name}, ${description}, ${sealed}, ${createdAt}, ${createdAt})
    on conflict (org_id, name) do nothing`);
  return inserted > 0;
}

/** Without a new value the sealed one stays. */
export async function updateSecretRow(
  tx: Tx,
  orgId: string,
  secret: SecretRow,
  sealed: string | undefined,
): Promise<void> {
  await tx.execute(sql`
    update organization_secrets set description = ${secret.description}, sealed = coalesce(${sealed ?? null}, sealed),
      updated_at = ${secret.updatedAt}
    where org_id = ${orgId} and name = ${secret.name}`);
}

export async function deleteSecretRow(tx: Tx, orgId: string, name: string): Promise<void> {
  await tx.execute(sql`delete from organization_secrets where org_id = ${orgId} and name = ${name}`);
}
