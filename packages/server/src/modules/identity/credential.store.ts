import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { computed, field, fields, row } from '../../platform/db/row.ts';
import type { Permitted } from '../accounts/index.ts';
import type { OrganizationModel } from '../organizations/index.ts';
import { newSecretId } from './secret-hash.ts';

/** The stored side of an exchange of id and secret for a token. */
export interface Credential {
  readonly orgId: string;
  readonly clientId: string;
  readonly secretId: string;
  readonly secretHash: string;
  /** The previous secret, while it still works. */
  readonly previousSecretId: string | null;
  readonly previousSecretHash: string | null;
  readonly userKey: string | null;
  readonly userType: string | null;
}

export interface NewCredential {
  readonly orgId: string;
  readonly clientId: string;
  readonly secretHash: string;
  /** From `newSecret`; generated here if the secret has none. */
  readonly secretId?: string;
  readonly name: string;
  /** Of the organization's own credentials; those of a user have the user's current role. */
  readonly role: 'Admin' | 'Member';
  readonly userKey: string | null;
  /** Absent without restriction. */
  readonly scopes?: readonly string[] | undefined;
  /** The installation id of the only client that may use it. */
  readonly boundTo?: string | undefined;
  readonly createdAt: Date;
}

/** What must still hold for a token to be valid; read at most once a second per token. */
export interface Standing {
  readonly model: OrganizationModel;
  /** `flipping` while the model is about to change: the standing is then not cached. */
  readonly migrationPhase?: string | null;
  /** Of the organization's credential, or of the one that owns the API token. */
  readonly role: string;
  readonly clientId: string | null;
  readonly userId: string | null;
  readonly userStatus: string | null;
  readonly userRole: string | null;
  readonly moderatedBlueprints: readonly string[] | null;
  readonly teamKeys: readonly string[];
  readonly scopes: readonly string[] | null;
  /** The installation that the credential, or the one that owns the API token, was made for. */
  readonly boundTo: string | null;
  /** Scopes of the credential that owns the API token. */
  readonly ownerScopes: readonly string[] | null;
}

/** @throws DatabaseError with constraint `credential_directory_pkey` if the client id is in use */
export async function insertCredential(tx: Tx, credential: Permitted<NewCredential>): Promise<void> {
  const { orgId, clientId, secretHash, role, userKey, name, createdAt } = credential;
  await tx.execute(sql`insert into credential_directory (client_id, org_id) values (${clientId}, ${orgId})`);
  await tx.execute(sql`
    insert into credentials (org_id, client_id, secret_hash, secret_id, name, role, user_key, scopes, bound_to, created_at)
    values (${orgId}, ${clientId}, ${secretHash}, ${credential.secretId ?? newSecretId()}, ${name}, ${role}, ${userKey},
      ${credential.scopes ?? null}, ${credential.boundTo ?? null}, ${createdAt})`);
}

export async function revokeUserCredentials(tx: Tx, orgId: string, userKey: string, at: Date): Promise<void> {
  await tx.execute(sql`
    update credentials set revoked_at = ${at} where org_id = ${orgId} and user_key = ${userKey} and revoked_at is null`);
}

const credentialRow = row({
  ...fields('credentials', 'org_id', 'client_id', 'secret_id', 'secret_hash', 'user_key'),
  previousSecretId: computed.text.orNull(),
  previousSecretHash: computed.text.orNull(),
  userType: field('users', 'type').orNull(),
});

/** A credential that can be exchanged: not revoked, and its user exists and is not disabled. */
export function findCredential(reader: Reader, clientId: string, now: Date): Promise<Credential | undefined> {
  return reader.first(credentialRow.sql`
    select c.org_id as "orgId", c.client_id as "clientId", c.secret_hash as "secretHash", c.secret_id as "secretId",
      case when c.previous_until > ${now} then c.previous_secret_id end as "previousSecretId",
      case when c.previous_until > ${now} then c.previous_secret_hash end as "previousSecretHash",
      c.user_key as "userKey", u.type as "userType"
    from credential_directory d
    join credentials c on c.org_id = d.org_id and c.client_id = d.client_id
    left join users u on u.org_id = c.org_id and u.key = c.user_key
    where d.client_id = ${clientId} and (c.revoked_at is null or c.revoked_at > ${now})
      and (c.user_key is null or u.status <> 'Disabled')`);
}

export interface StandingKey {
  readonly orgId: string;
  readonly id: string;
  readonly secretId: string;
}

const standing = row({
  ...fields('organizations', 'model', 'migration_phase'),
  ...fields('credentials', 'role', 'scopes', 'bound_to'),
  clientId: field('credentials', 'client_id').orNull(),
  userId: field('users', 'identifier').orNull(),
  userStatus: field('users', 'status').orNull(),
  userRole: field('users', 'role').orNull(),
  moderatedBlueprints: field('users', 'moderated_blueprints').orNull(),
  teamKeys: computed.texts,
  ownerScopes: computed.texts.orNull(),
});

/** The standing of a token made with a client id and secret. */
export function findStanding(
  reader: Reader,
  { orgId, id, secretId }: StandingKey,
  now: Date,
): Promise<Standing | undefined> {
  return reader.first(standing.sql`
    select o.model, o.migration_phase as "migrationPhase", c.role, c.client_id as "clientId",
      u.identifier as "userId", u.status as "userStatus", u.role as "userRole", u.moderated_blueprints as "moderatedBlueprints", c.scopes, c.bound_to as "boundTo",
      null as "ownerScopes",
      array(select m.team_key from team_members m where m.org_id = ${orgId} and m.user_key = c.user_key) as "teamKeys"
    from credentials c
    join organizations o on o.id = c.org_id
    left join users u on u.org_id = c.org_id and u.key = c.user_key
    where c.org_id = ${orgId} and c.client_id = ${id} and (c.revoked_at is null or c.revoked_at > ${now})
      and (c.user_key is null or u.key is not null)
      and (c.secret_id = ${secretId} or (c.previous_secret_id = ${secretId} and c.previous_until > ${now}))`);
}

export async function setSealedSecret(tx: Tx, orgId: string, clientId: string, sealed: string): Promise<void> {
  await tx.execute(
    sql`update credentials set sealed_secret = ${sealed} where org_id = ${orgId} and client_id = ${clientId}`,
  );
}

const clientSecret = row({
  ...fields('credentials', 'client_id'),
  sealed: field('credentials', 'sealed_secret').notNull(),
});

/** The oldest Admin credentials in force whose secret was kept. */
export function findSigningCredential(
  reader: Reader,
  orgId: string,
): Promise<{ readonly clientId: string; readonly sealed: string } | undefined> {
  return reader.first(clientSecret.sql`
    select client_id as "clientId", sealed_secret as sealed from credentials
    where org_id = ${orgId} and user_key is null and role = 'Admin' and revoked_at is null and sealed_secret is not null
    order by created_at, client_id limit 1`);
}
