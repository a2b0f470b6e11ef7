import sql, { raw } from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { fields, type RowOf, row } from '../../../platform/db/row.ts';
import type { Permitted } from '../../accounts/index.ts';

const appRow = row(
  fields(
    'credentials',
    'client_id',
    'name',
    'role',
    'scopes',
    'previous_until',
    'created_at',
    'updated_at',
    'last_used_at',
  ),
);

/** Credentials of the organization, for administrators. */
export type AppRow = RowOf<typeof appRow>;

const columns = raw(`client_id as "clientId", name, role, scopes, previous_until as "previousUntil",
  created_at as "createdAt", updated_at as "updatedAt", last_used_at as "lastUsedAt"`);

/** Unrevoked credentials, oldest first. */
export function listAppRows(reader: Reader, orgId: string): Promise<AppRow[]> {
  return reader.rows(appRow.sql`
    select ${columns} from credentials
    where org_id = ${orgId} and user_key is null and revoked_at is null
    order by created_at, client_id`);
}

export interface AppChange {
  readonly name: string;
  readonly scopes: readonly string[] | null;
  readonly at: Date;
}

export async function updateAppRow(
  tx: Tx,
  orgId: string,
  clientId: string,
  { name, scopes, at }: Permitted<AppChange>,
): Promise<void> {
  await tx.execute(sql`
    update credentials set name = ${name}, scopes = ${scopes}, updated_at = ${at}
    where org_id = ${orgId} and client_id = ${clientId}`);
}

export interface NextSecret {
  readonly secretId: string;
  readonly secretHash: string;
  readonly previousUntil: Date;
  readonly at: Date;
}

export async function setAppSecret(
  tx: Tx,
  orgId: string,
  clientId: string,
  next: Permitted<NextSecret>,
): Promise<void> {
  await tx.execute(sql`
    update credentials set previous_secret_hash = secret_hash, previous_secret_id = secret_id,
      previous_until = ${next.previousUntil}, secret_hash = ${next.secretHash}, secret_id = ${next.secretId},
      updated_at = ${next.at}
    where org_id = ${orgId} and client_id = ${clientId}`);
}

/** Also revokes the API tokens it owns, whose rows would otherwise still say that they work. */
export async function revokeAppRow(tx: Tx, orgId: string, clientId: string, now: Date): Promise<void> {
  await tx.execute(sql`
    update credentials set revoked_at = ${now}, updated_at = ${now}
    where org_id = ${orgId} and client_id = ${clientId}`);
  await tx.execute(sql`
    update api_tokens set revoked_at = ${now}
    where org_id = ${orgId} and client_id = ${clientId} and revoked_at is null`);
}

/** Ends a user's credentials at this moment, unless they end earlier. */
export async function endUserCredentials(tx: Tx, orgId: string, userKey: string, at: Date): Promise<number> {
  return tx.execute(sql`
    update credentials set revoked_at = ${at}
    where org_id = ${orgId} and user_key = ${userKey} and (revoked_at is null or revoked_at > ${at})`);
}
