import type { McpScope } from '@portolan/contract/mcp-scopes';
import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { computed, field, fields, type RowOf, row } from '../../platform/db/row.ts';
import { isOpen } from './is-open.sql.ts';

export interface NewCode {
  readonly orgId: string;
  readonly id: string;
  readonly grantId: string;
  readonly secretHash: string;
  readonly challenge: string;
  readonly redirectUri: string;
  readonly scopes: readonly McpScope[];
  readonly expiresAt: Date;
}

export async function insertCode(tx: Tx, code: NewCode): Promise<void> {
  await tx.execute(sql`
    insert into oauth_codes (org_id, id, grant_id, secret_hash, challenge, redirect_uri, scopes, expires_at)
    values (${code.orgId}, ${code.id}, ${code.grantId}, ${code.secretHash}, ${code.challenge}, ${code.redirectUri},
      ${code.scopes}, ${code.expiresAt})`);
}

/** Whose grant it is, and what the person is now. */
const grantFields = {
  grantId: field('oauth_grants', 'id'),
  clientHash: field('oauth_grants', 'client_hash'),
  resource: field('oauth_grants', 'resource'),
  grantScopes: field('oauth_grants', 'scopes').as<readonly McpScope[]>(),
  grantEndsAt: field('oauth_grants', 'expires_at'),
  user: field('users', 'identifier'),
  userStatus: field('users', 'status'),
  model: field('organizations', 'model'),
};
const codeRow = row({
  ...grantFields,
  ...fields('oauth_codes', 'org_id', 'id', 'secret_hash', 'challenge', 'redirect_uri', 'expires_at'),
  scopes: field('oauth_codes', 'scopes').as<readonly McpScope[]>(),
});
export type CodeRow = RowOf<typeof codeRow>;

export function findCode(reader: Reader, orgId: string, id: string): Promise<CodeRow | undefined> {
  return reader.first(codeRow.sql`
    select c.org_id as "orgId", c.id, c.secret_hash as "secretHash", c.challenge, c.redirect_uri as "redirectUri",
      c.scopes, c.expires_at as "expiresAt", g.id as "grantId", g.client_hash as "clientHash", g.resource,
      g.scopes as "grantScopes", g.expires_at as "grantEndsAt", u.identifier as user, u.status as "userStatus", o.model
    from oauth_codes c
    join oauth_grants g on g.org_id = c.org_id and g.id = c.grant_id
    join users u on u.org_id = g.org_id and u.key = g.user_key and ${isOpen}
    join organizations o on o.id = c.org_id
    where c.org_id = ${orgId} and c.id = ${id}`);
}

/** False if somebody was here before: of two at once, one gets it. */
export async function takeCode(tx: Tx, orgId: string, id: string, now: Date): Promise<boolean> {
  const taken = await tx.execute(
    sql`update oauth_codes set used_at = ${now} where org_id = ${orgId} and id = ${id} and used_at is null`,
  );
  return taken === 1;
}

export interface NewToken {
  readonly orgId: string;
  readonly id: string;
  readonly grantId: string;
  readonly kind: 'access' | 'refresh';
  readonly secretHash: string;
  readonly scopes: readonly McpScope[];
  readonly expiresAt: Date;
  readonly chainEndsAt: Date;
}

export async function insertToken(tx: Tx, token: NewToken): Promise<void> {
  await tx.execute(sql`
    insert into oauth_tokens (org_id, id, grant_id, kind, secret_hash, scopes, expires_at, chain_ends_at)
    values (${token.orgId}, ${token.id}, ${token.grantId}, ${token.kind}, ${token.secretHash}, ${token.scopes},
      ${token.expiresAt}, ${token.chainEndsAt})`);
}

const tokenRow = row({
  ...grantFields,
  ...fields('oauth_tokens', 'org_id', 'id', 'secret_hash', 'expires_at', 'chain_ends_at'),
  kind: field('oauth_tokens', 'kind'),
  scopes: field('oauth_tokens', 'scopes').as<readonly McpScope[]>(),
});
export type TokenRow = RowOf<typeof tokenRow>;

export function findToken(reader: Reader, orgId: string, id: string): Promise<TokenRow | undefined> {
  return reader.first(tokenRow.sql`
    select t.org_id as "orgId", t.id, t.kind, t.secret_hash as "secretHash", t.scopes, t.expires_at as "expiresAt",
      t.chain_ends_at as "chainEndsAt", g.id as "grantId", g.client_hash as "clientHash", g.resource,
      g.scopes as "grantScopes", g.expires_at as "grantEndsAt", u.identifier as user, u.status as "userStatus", o.model
    from oauth_tokens t
    join oauth_grants g on g.org_id = t.org_id and g.id = t.grant_id
    join users u on u.org_id = g.org_id and u.key = g.user_key and ${isOpen}
    join organizations o on o.id = t.org_id
    where t.org_id = ${orgId} and t.id = ${id}`);
}

/** False if it was exchanged before: of two at once, one gets it. */
export async function takeRefreshToken(tx: Tx, orgId: string, id: string, now: Date): Promise<boolean> {
  const taken = await tx.execute(sql`
    update oauth_tokens set used_at = ${now}
    where org_id = ${orgId} and id = ${id} and kind = 'refresh' and used_at is null`);
  return taken === 1;
}

export async function deleteToken(tx: Tx, orgId: string, id: string): Promise<void> {
  await tx.execute(sql`delete from oauth_tokens where org_id = ${orgId} and id = ${id}`);
}

const appStanding = row({
  ...fields('oauth_tokens', 'secret_hash', 'expires_at'),
  ...fields('organizations', 'model', 'migration_phase'),
  ...fields('users', 'role'),
  tokenScopes: field('oauth_tokens', 'scopes').as<readonly McpScope[]>(),
  grantId: field('oauth_grants', 'id'),
  resource: field('oauth_grants', 'resource'),
  grantScopes: field('oauth_grants', 'scopes').as<readonly McpScope[]>(),
  grantEndsAt: field('oauth_grants', 'expires_at'),
  lastUsedAt: field('oauth_grants', 'last_used_at'),
  clientId: computed.text.orNull(),
  userId: field('users', 'identifier').orNull(),
  userStatus: field('users', 'status').orNull(),
  userRole: field('users', 'role').orNull(),
  moderatedBlueprints: field('users', 'moderated_blueprints').orNull(),
  teamKeys: computed.texts,
});
export type AppStanding = RowOf<typeof appStanding>;

/** What must hold for an access token to be good, and who its person is at this moment. */
export function findAppStanding(reader: Reader, orgId: string, id: string): Promise<AppStanding | undefined> {
  return reader.first(appStanding.sql`
    select t.secret_hash as "secretHash", t.expires_at as "expiresAt", t.scopes as "tokenScopes", g.id as "grantId",
      g.resource, g.scopes as "grantScopes", g.expires_at as "grantEndsAt", g.last_used_at as "lastUsedAt", o.model,
      o.migration_phase as "migrationPhase", u.role, null as "clientId", u.identifier as "userId",
      u.status as "userStatus", u.role as "userRole", u.moderated_blueprints as "moderatedBlueprints",
      array(select m.team_key from team_members m where m.org_id = ${orgId} and m.user_key = g.user_key) as "teamKeys"
    from oauth_tokens t
    join oauth_grants g on g.org_id = t.org_id and g.id = t.grant_id
    join organizations o on o.id = t.org_id
    join users u on u.org_id = g.org_id and u.key = g.user_key and ${isOpen}
    where t.org_id = ${orgId} and t.id = ${id} and t.kind = 'access'`);
}
