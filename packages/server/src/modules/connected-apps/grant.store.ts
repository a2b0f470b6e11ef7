import type { McpScope } from '@portolan/contract/mcp-scopes';
import sql from 'sql-template-tag';
import type { Database, Reader, Tx } from '../../platform/db/database.ts';
import { computed, field, fields, type RowOf, row } from '../../platform/db/row.ts';
import { isOpen } from './is-open.sql.ts';

export interface NewGrant {
  readonly id: string;
  readonly clientHash: string;
  readonly clientName: string;
  readonly redirectHost: string;
  readonly resource: string;
  readonly scopes: readonly McpScope[];
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

const grantId = row(fields('oauth_grants', 'id'));

/**
 * Stores what a person allowed a client, in place of what the person allowed it before. Answers the id: the earlier one
 * if there was one.
 */
export async function putGrant(tx: Tx, orgId: string, user: string, grant: NewGrant): Promise<string | undefined> {
  const stored = await tx.first(grantId.sql`
    insert into oauth_grants (org_id, id, user_key, client_hash, client_name, redirect_host, resource, scopes, created_at,
      expires_at)
    select ${orgId}, ${grant.id}, u.key, ${grant.clientHash}, ${grant.clientName}, ${grant.redirectHost},
      ${grant.resource}, ${grant.scopes}, ${grant.createdAt}, ${grant.expiresAt}
    from users u where u.org_id = ${orgId} and u.identifier = ${user} and u.status <> 'Disabled' for share
    on conflict (org_id, user_key, client_hash) do update set client_name = excluded.client_name,
      redirect_host = excluded.redirect_host, resource = excluded.resource, scopes = excluded.scopes,
      created_at = excluded.created_at, expires_at = excluded.expires_at
    returning id`);
  return stored?.id;
}

/** What was ended by disabling the person must not come back, with its tokens, by letting the client in anew. */
export async function deleteShutGrant(tx: Tx, orgId: string, user: string, clientHash: string): Promise<void> {
  await tx.execute(sql`
    delete from oauth_grants g using users u
    where g.org_id = ${orgId} and g.client_hash = ${clientHash} and u.org_id = g.org_id and u.key = g.user_key
      and u.identifier = ${user} and not ${isOpen}`);
}

const grantRow = row({
  ...fields('oauth_grants', 'id', 'client_name', 'redirect_host', 'created_at', 'expires_at', 'last_used_at'),
  scopes: field('oauth_grants', 'scopes').as<readonly McpScope[]>(),
});
export type GrantRow = RowOf<typeof grantRow>;

/** Those of a person that have not ended, latest first. */
export function listGrants(reader: Reader, orgId: string, user: string, now: Date): Promise<GrantRow[]> {
  return reader.rows(grantRow.sql`
    select g.id, g.client_name as "clientName", g.redirect_host as "redirectHost", g.scopes,
      g.created_at as "createdAt", g.expires_at as "expiresAt", g.last_used_at as "lastUsedAt"
    from oauth_grants g join users u on u.org_id = g.org_id and u.key = g.user_key
    where g.org_id = ${orgId} and u.identifier = ${user} and g.expires_at > ${now} and ${isOpen}
    order by g.created_at desc, g.id`);
}

const deletedGrant = row({ ...fields('oauth_grants', 'id', 'client_name'), user: field('users', 'identifier') });
export type DeletedGrant = RowOf<typeof deletedGrant>;

/** With its codes and tokens; of this person alone, if one is named. */
export function deleteGrant(tx: Tx, orgId: string, id: string, user?: string): Promise<DeletedGrant | undefined> {
  return tx.first(deletedGrant.sql`
    delete from oauth_grants g using users u
    where g.org_id = ${orgId} and g.id = ${id} and u.org_id = g.org_id and u.key = g.user_key
      and (${user ?? null}::text is null or u.identifier = ${user ?? null})
    returning g.id, g.client_name as "clientName", u.identifier as user`);
}

/** The moments of use help people find apps that they forgot; a minute more or less does not matter. */
export async function touchGrant(database: Database, orgId: string, id: string, at: Date): Promise<void> {
  await database.executeAlone(sql`
    update oauth_grants set last_used_at = ${at}
    where org_id = ${orgId} and id = ${id} and (last_used_at is null or last_used_at < ${at})`);
}

/** How many a person has. */
export async function countGrants(tx: Tx, orgId: string, user: string): Promise<number> {
  const found = await tx.first(row({ count: computed.number }).sql`
    select count(*)::int as count from oauth_grants g join users u on u.org_id = g.org_id and u.key = g.user_key
    where g.org_id = ${orgId} and u.identifier = ${user}`);
  return found?.count ?? 0;
}

/** Deletes what has ended or whose user may not sign in any more. It is refused already. */
export async function deleteEndedGrants(database: Database, now: Date): Promise<void> {
  await database.executeAlone(sql`
    delete from oauth_grants g /* all organizations */ where g.expires_at <= ${now} or not exists (
      select 1 from users u where u.org_id = g.org_id and u.key = g.user_key and u.status <> 'Disabled' and ${isOpen})`);
  await database.executeAlone(sql`delete from oauth_codes /* all organizations */ where expires_at <= ${now}`);
  await database.executeAlone(sql`delete from oauth_tokens /* all organizations */ where expires_at <= ${now}`);
}
