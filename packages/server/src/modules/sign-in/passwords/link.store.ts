import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import { field, fields, type RowOf, row } from '../../../platform/db/row.ts';
import type { Permitted, SavedAuthority } from '../../accounts/index.ts';

export interface PasswordLink {
  readonly orgId: string;
  readonly id: string;
  readonly userKey: string;
  readonly secretHash: string;
  readonly createdAt: Date;
  readonly createdBy: string;
  /** Authority of its maker. */
  readonly authority: SavedAuthority;
  readonly expiresAt: Date;
  /** Whether its maker hands it over, or an e-mail does. */
  readonly carriedBy: 'hand' | 'mail';
  /** The key of the address; null if it is handed over. */
  readonly mailedTo: string | null;
}

export type LinkEnd = 'used' | 'replaced' | 'revoked';

export async function insertLink(tx: Tx, link: Permitted<PasswordLink>): Promise<void> {
  await tx.execute(sql`
    insert into password_links (org_id, id, user_key, secret_hash, created_at, created_by, authority,
      expires_at, carried_by, mailed_to)
    values (${link.orgId}, ${link.id}, ${link.userKey}, ${link.secretHash}, ${link.createdAt}, ${link.createdBy},
      ${json(link.authority)}::jsonb, ${link.expiresAt}, ${link.carriedBy}, ${link.mailedTo})`);
}

const mailedRow = row({ createdAt: field('password_links', 'created_at') });

/** When the nth link before the last was mailed, of those since a moment; undefined if there are fewer. */
export async function findNthMailed(
  tx: Tx,
  orgId: string,
  { since, nth, to }: { readonly since: Date; readonly nth: number; readonly to?: string },
): Promise<Date | undefined> {
  const found = await tx.first(mailedRow.sql`
    select created_at as "createdAt" from password_links
    where org_id = ${orgId} and created_at > ${since} and mailed_to is not null
      and (${to ?? null}::text is null or mailed_to = ${to ?? null})
    order by created_at desc offset ${nth - 1} limit 1`);
  return found?.createdAt;
}

/** Gives a link that still works another secret. */
export async function setLinkSecret(
  tx: Tx,
  { orgId, id, secretHash }: Permitted<Pick<PasswordLink, 'orgId' | 'id' | 'secretHash'>>,
): Promise<void> {
  await tx.execute(sql`
    update password_links set secret_hash = ${secretHash}
    where org_id = ${orgId} and id = ${id} and ended_at is null`);
}

const linkRow = row({
  ...fields('password_links', 'id', 'user_key', 'created_by', 'expires_at'),
  authority: field('password_links', 'authority').as<SavedAuthority>(),
  endedAs: field('password_links', 'ended_as').as<LinkEnd>(),
});
export type StoredLink = RowOf<typeof linkRow>;

/** A link by its secret, ended or not. */
export function findLink(
  reader: Reader,
  orgId: string,
  id: string,
  secretHash: string,
): Promise<StoredLink | undefined> {
  return reader.first(linkRow.sql`
    select id, user_key as "userKey", created_by as "createdBy", expires_at as "expiresAt", authority,
      ended_as as "endedAs"
    from password_links where org_id = ${orgId} and id = ${id} and secret_hash = ${secretHash}`);
}

/** A link by mail that still works at that moment. */
export function findMailedLink(tx: Tx, orgId: string, id: string, at: Date): Promise<StoredLink | undefined> {
  return tx.first(linkRow.sql`
    select id, user_key as "userKey", created_by as "createdBy", expires_at as "expiresAt", authority,
      ended_as as "endedAs"
    from password_links
    where org_id = ${orgId} and id = ${id} and carried_by = 'mail' and ended_at is null and expires_at > ${at}
    for update`);
}

/** Ends one link; true if it still worked, so that it is used once. */
export async function takeLink(tx: Tx, orgId: string, id: string, at: Date): Promise<boolean> {
  const taken = await tx.execute(sql`
    update password_links set ended_at = ${at}, ended_as = 'used'
    where org_id = ${orgId} and id = ${id} and ended_at is null and expires_at > ${at}`);
  return taken > 0;
}

/** Ends all links of a user. */
export async function endLinks(tx: Tx, orgId: string, userKey: string, as: LinkEnd, at: Date): Promise<void> {
  await tx.execute(sql`
    update password_links set ended_at = ${at}, ended_as = ${as}
    where org_id = ${orgId} and user_key = ${userKey} and ended_at is null`);
}
