import sql, { raw, type Sql } from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { computed, field, fields, type RowOf, row } from '../../../platform/db/row.ts';
import type { Permitted } from '../../accounts/index.ts';
import type { Standing, StandingKey } from '../credential.store.ts';
import { latest, type Use } from '../credential-uses.store.ts';

/** The owner: a user, or a credential of the organization. */
export type TokenOwner =
  | { readonly userKey: string; readonly clientId: null }
  | { readonly userKey: null; readonly clientId: string };

const apiTokenRow = row({
  ...fields(
    'api_tokens',
    'id',
    'name',
    'user_key',
    'scopes',
    'hint',
    'secret_id',
    'previous_until',
    'created_at',
    'expires_at',
    'last_used_at',
  ),
  /** The e-mail address or the client id. */
  owner: computed.text,
});
export type ApiTokenRow = RowOf<typeof apiTokenRow>;

const columns = raw(`t.id, t.name, coalesce(u.identifier, t.client_id, '') as owner, t.user_key as "userKey", t.scopes,
  t.hint, t.secret_id as "secretId", t.previous_until as "previousUntil", t.created_at as "createdAt",
  t.expires_at as "expiresAt", t.last_used_at as "lastUsedAt"`);

export interface NewApiToken {
  readonly orgId: string;
  readonly id: string;
  readonly owner: TokenOwner;
  readonly name: string;
  readonly scopes: readonly string[] | undefined;
  readonly hint: string;
  readonly secretId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** @throws DatabaseError with constraint `api_tokens_name` if the owner has a token of that name */
export async function insertApiToken(tx: Tx, token: Permitted<NewApiToken>): Promise<void> {
  const { orgId, id, owner, name, scopes, hint, secretId, createdAt, expiresAt } = token;
  await tx.execute(sql`
    insert into api_tokens (org_id, id, user_key, client_id, name, scopes, hint, secret_id, created_at, expires_at)
    values (${orgId}, ${id}, ${owner.userKey}, ${owner.clientId}, ${name}, ${scopes ?? null}, ${hint}, ${secretId},
      ${createdAt}, ${expiresAt})`);
}

const lockedUser = row({ ...fields('users', 'key', 'role', 'moderated_blueprints'), teamKeys: computed.texts });
type LockedUser = RowOf<typeof lockedUser>;

/** A user, locked for the transaction: credentials are made one at a time, and the user is not removed meanwhile. */
export function lockUser(tx: Tx, orgId: string, identifier: string): Promise<LockedUser | undefined> {
  return tx.first(lockedUser.sql`
    select u.key, u.role, u.moderated_blueprints as "moderatedBlueprints",
      array(select m.team_key from team_members m where m.org_id = ${orgId} and m.user_key = u.key) as "teamKeys"
    from users u where u.org_id = ${orgId} and u.identifier = ${identifier} for update`);
}

const credentialRow = row(fields('credentials', 'client_id', 'role'));

/** An unrevoked credential of the organization, locked for the transaction. */
export function lockCredential(
  tx: Tx,
  orgId: string,
  clientId: string,
): Promise<{ readonly clientId: string; readonly role: string } | undefined> {
  return tx.first(credentialRow.sql`
    select client_id as "clientId", role from credentials
    where org_id = ${orgId} and client_id = ${clientId} and revoked_at is null for update`);
}

/** Tokens neither revoked nor expired, of one owner or of all, oldest first. */
export function listApiTokenRows(
  reader: Reader,
  orgId: string,
  owner: { readonly userId?: string | undefined; readonly clientId?: string | undefined } | undefined,
  now: Date,
): Promise<ApiTokenRow[]> {
  return reader.rows(apiTokenRow.sql`
    select ${columns} from api_tokens t left join users u on u.org_id = t.org_id and u.key = t.user_key
    where t.org_id = ${orgId} and ${ownedBy(owner)} and t.revoked_at is null and t.expires_at > ${now}
    order by t.created_at, t.id`);
}

/** One of those, locked for the transaction. */
export function lockApiToken(
  tx: Tx,
  orgId: string,
  id: string,
  owner: { readonly userId?: string | undefined; readonly clientId?: string | undefined } | undefined,
  now: Date,
): Promise<ApiTokenRow | undefined> {
  return tx.first(apiTokenRow.sql`
    select ${columns} from api_tokens t left join users u on u.org_id = t.org_id and u.key = t.user_key
    where t.org_id = ${orgId} and t.id = ${id} and ${ownedBy(owner)} and t.revoked_at is null
      and t.expires_at > ${now}
    for update of t`);
}

function ownedBy(
  owner: { readonly userId?: string | undefined; readonly clientId?: string | undefined } | undefined,
): Sql {
  if (owner === undefined) return sql`true`;
  return owner.userId === undefined ? sql`t.client_id = ${owner.clientId ?? ''}` : sql`u.identifier = ${owner.userId}`;
}

export async function setTokenSecret(
  tx: Tx,
  orgId: string,
  id: string,
  next: Permitted<{ readonly secretId: string; readonly hint: string; readonly previousUntil: Date }>,
): Promise<void> {
  await tx.execute(sql`
    update api_tokens set previous_secret_id = secret_id, previous_until = ${next.previousUntil},
      secret_id = ${next.secretId}, hint = ${next.hint}
    where org_id = ${orgId} and id = ${id}`);
}

export async function markTokenRevoked(tx: Tx, orgId: string, id: string, now: Date): Promise<void> {
  await tx.execute(sql`update api_tokens set revoked_at = ${now} where org_id = ${orgId} and id = ${id}`);
}

/** Frees the names of the owner's expired tokens. */
export async function retireExpiredTokens(
  tx: Tx,
  orgId: string,
  { userKey, clientId }: TokenOwner,
  now: Date,
): Promise<void> {
  await tx.execute(sql`
    update api_tokens set revoked_at = ${now}
    where org_id = ${orgId} and coalesce(user_key, client_id) = ${userKey ?? clientId} and revoked_at is null
      and expires_at <= ${now}`);
}

const standing = row({
  ...fields('organizations', 'model', 'migration_phase'),
  ...fields('api_tokens', 'client_id', 'scopes'),
  role: computed.text,
  userId: field('users', 'identifier').orNull(),
  userStatus: field('users', 'status').orNull(),
  userRole: field('users', 'role').orNull(),
  moderatedBlueprints: field('users', 'moderated_blueprints').orNull(),
  teamKeys: computed.texts,
  ownerScopes: field('credentials', 'scopes'),
  boundTo: field('credentials', 'bound_to'),
});

/** The state of an API token, and of the user or credential that owns it. */
export function findTokenStanding(
  reader: Reader,
  { orgId, id, secretId }: StandingKey,
  now: Date,
): Promise<Standing | undefined> {
  return reader.first(standing.sql`
    select o.model, o.migration_phase as "migrationPhase", coalesce(c.role, 'Member') as role,
      t.client_id as "clientId", u.identifier as "userId", u.status as "userStatus", u.role as "userRole", u.moderated_blueprints as "moderatedBlueprints", t.scopes,
      c.scopes as "ownerScopes", c.bound_to as "boundTo",
      array(select m.team_key from team_members m where m.org_id = ${orgId} and m.user_key = t.user_key) as "teamKeys"
    from api_tokens t
    join organizations o on o.id = t.org_id
    left join users u on u.org_id = t.org_id and u.key = t.user_key
    left join credentials c on c.org_id = t.org_id and c.client_id = t.client_id and c.user_key is null
      and (c.revoked_at is null or c.revoked_at > ${now})
    where t.org_id = ${orgId} and t.id = ${id} and t.revoked_at is null and t.expires_at > ${now}
      and (u.key is not null or c.client_id is not null)
      and (t.secret_id = ${secretId} or (t.previous_secret_id = ${secretId} and t.previous_until > ${now}))`);
}

/** Updates last-used moments that are newer than the stored ones. */
export function touchApiTokens(uses: readonly Use[]): Sql {
  return sql`
    update api_tokens t set last_used_at = n.at from ${latest(uses)}
    where t.org_id = n.org_id and t.id = n.id and (t.last_used_at is null or t.last_used_at < n.at)`;
}
