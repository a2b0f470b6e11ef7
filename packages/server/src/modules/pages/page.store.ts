import sql, { raw } from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { json } from '../../platform/db/json.ts';
import { computed, field, fields, row } from '../../platform/db/row.ts';
import type { Permitted } from '../accounts/index.ts';
import type { PageRights, StoredPage } from './page.ts';

/** Entity pages are named after their blueprint. */
const name = raw(`coalesce(p.identifier, b.identifier || 'Entity')`);
const columns = raw(`p.key, coalesce(p.identifier, b.identifier || 'Entity') as identifier, p.type,
  p.blueprint_key as "blueprintKey", b.identifier as blueprint, p.definition, p.owner, p.permissions as rights,
  p.created_at as "createdAt", p.created_by as "createdBy", p.updated_at as "updatedAt", p.updated_by as "updatedBy"`);
const rows = raw(`pages p left join blueprints b on b.org_id = p.org_id and b.key = p.blueprint_key`);

const storedPage = row({
  ...fields('pages', 'key', 'type', 'blueprint_key', 'owner', 'created_at', 'created_by', 'updated_at', 'updated_by'),
  identifier: computed.text,
  blueprint: field('blueprints', 'identifier').orNull(),
  definition: field('pages', 'definition').as<StoredPage['definition']>(),
  rights: field('pages', 'permissions').as<StoredPage['rights']>(),
});

/** In order of creation. */
export function listPageRows(reader: Reader, orgId: string): Promise<StoredPage[]> {
  return reader.rows(storedPage.sql`select ${columns} from ${rows} where p.org_id = ${orgId} order by p.key`);
}

export function findPageRow(reader: Reader, orgId: string, identifier: string): Promise<StoredPage | undefined> {
  return reader.first(
    storedPage.sql`select ${columns} from ${rows} where p.org_id = ${orgId} and ${name} = ${identifier}`,
  );
}

/** Some pages, by key or by name. */
export function findPageRows(
  reader: Reader,
  orgId: string,
  { keys = [], identifiers = [] }: { readonly keys?: readonly number[]; readonly identifiers?: readonly string[] },
): Promise<StoredPage[]> {
  return reader.rows(storedPage.sql`
    select ${columns} from ${rows}
    where p.org_id = ${orgId} and (p.key = any(${keys}::bigint[]) or ${name} = any(${identifiers}::text[]))`);
}

/** Serializes changes of an organization's pages. */
export async function lockPages(tx: Tx, orgId: string): Promise<void> {
  await tx.rows(sql`select pg_advisory_xact_lock(4771007, hashtext(${orgId}))`);
}

/** @throws DatabaseError with constraint `pages_identifier` */
export async function insertPage(
  tx: Tx,
  orgId: string,
  page: StoredPage & { readonly rights: Permitted<PageRights> | null },
): Promise<void> {
  await tx.execute(sql`
    insert into pages (org_id, identifier, type, blueprint_key, definition, owner, permissions, created_at, created_by,
      updated_at, updated_by)
    values (${orgId}, ${ownIdentifier(page)}, ${page.type}, ${page.blueprintKey}, ${json(page.definition)},
      ${page.owner}, ${page.rights === null ? null : json(page.rights)}, ${page.createdAt}, ${page.createdBy},
      ${page.updatedAt}, ${page.updatedBy})`);
}

/** @throws DatabaseError with constraint `pages_identifier` */
export async function updatePageRow(tx: Tx, orgId: string, key: number, page: StoredPage): Promise<void> {
  await tx.execute(sql`
    update pages set identifier = ${ownIdentifier(page)}, type = ${page.type}, blueprint_key = ${page.blueprintKey},
      definition = ${json(page.definition)}, owner = ${page.owner}, updated_at = ${page.updatedAt},
      updated_by = ${page.updatedBy}
    where org_id = ${orgId} and key = ${key}`);
}

export async function setPageRights(tx: Tx, orgId: string, key: number, rights: Permitted<PageRights>): Promise<void> {
  await tx.execute(sql`update pages set permissions = ${json(rights)} where org_id = ${orgId} and key = ${key}`);
}

export async function deletePageRow(tx: Tx, orgId: string, key: number): Promise<void> {
  await tx.execute(sql`delete from pages where org_id = ${orgId} and key = ${key}`);
}

/** Does nothing if the name is in use. */
export async function insertCatalogPage(
  tx: Tx,
  orgId: string,
  page: Pick<StoredPage, 'identifier' | 'blueprintKey' | 'definition' | 'createdAt' | 'createdBy'>,
): Promise<void> {
  const { identifier, blueprintKey, definition, createdAt, createdBy } = page;
  await tx.execute(sql`
    insert into pages (org_id, identifier, type, blueprint_key, definition, created_at, created_by, updated_at, updated_by)
    values (${orgId}, ${identifier}, 'blueprint-entities', ${blueprintKey}, ${json(definition)}, ${createdAt},
      ${createdBy}, ${createdAt}, ${createdBy})
    on conflict (org_id, identifier) do nothing`);
}

function ownIdentifier({ type, identifier }: StoredPage): string | null {
  return type === 'entity' ? null : identifier;
}

export async function dropBlueprintPages(tx: Tx, orgId: string, blueprintKey: number): Promise<void> {
  await tx.execute(sql`delete from pages where org_id = ${orgId} and blueprint_key = ${blueprintKey}::bigint`);
}
