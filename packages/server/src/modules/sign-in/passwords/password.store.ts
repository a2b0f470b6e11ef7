import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import { field, fields, row } from '../../../platform/db/row.ts';
import type { Permitted, SavedAuthority } from '../../accounts/index.ts';

export async function setPasswordHash(tx: Tx, orgId: string, userKey: string, hash: string, at: Date): Promise<void> {
  await tx.execute(sql`
    insert into user_passwords (org_id, user_key, hash, changed_at) values (${orgId}, ${userKey}, ${hash}, ${at})
    on conflict (org_id, user_key) do update set hash = excluded.hash, changed_at = excluded.changed_at`);
}

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
}

/** Replaces the user's earlier links. */
export async function replaceLink(tx: Tx, link: Permitted<PasswordLink>): Promise<void> {
  await deleteLinks(tx, link.orgId, link.userKey);
  await tx.execute(sql`
    insert into password_links (org_id, id, user_key, secret_hash, created_at, created_by, authority,
      expires_at)
    values (${link.orgId}, ${link.id}, ${link.userKey}, ${link.secretHash}, ${link.createdAt}, ${link.createdBy},
      ${json(link.authority)}::jsonb, ${link.expiresAt})`);
}

const passwordLinkRow = row({
  ...fields('password_links', 'expires_at', 'user_key'),
  authority: field('password_links', 'authority').as<SavedAuthority>(),
});

export function findLink(
  reader: Reader,
  orgId: string,
  id: string,
  secretHash: string,
): Promise<(Pick<PasswordLink, 'userKey' | 'expiresAt'> & { readonly authority: SavedAuthority | null }) | undefined> {
  return reader.first(passwordLinkRow.sql`
    select user_key as "userKey", expires_at as "expiresAt", authority from password_links
    where org_id = ${orgId} and id = ${id} and secret_hash = ${secretHash}`);
}

/** Deletes a link; true if it existed. */
export async function takeLink(tx: Tx, orgId: string, id: string): Promise<boolean> {
  return (await tx.execute(sql`delete from password_links where org_id = ${orgId} and id = ${id}`)) > 0;
}

export async function deleteLinks(tx: Tx, orgId: string, userKey: string): Promise<void> {
  await tx.execute(sql`delete from password_links where org_id = ${orgId} and user_key = ${userKey}`);
}
