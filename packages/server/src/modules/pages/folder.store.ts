import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { json } from '../../platform/db/json.ts';
import { fields, type RowOf, row } from '../../platform/db/row.ts';

const storedFolder = row(fields('sidebar_folders', 'key', 'identifier', 'title', 'parent', 'after'));

export type StoredFolder = RowOf<typeof storedFolder>;

export function listFolderRows(reader: Reader, orgId: string): Promise<StoredFolder[]> {
  return reader.rows(
    storedFolder.sql`select key, identifier, title, parent, after from sidebar_folders where org_id = ${orgId} order by key`,
  );
}

type FolderRow = Omit<StoredFolder, 'key'>;

export async function insertFolder(tx: Tx, orgId: string, folder: FolderRow): Promise<void> {
  const { identifier, title, parent, after } = folder;
  await tx.execute(sql`
    insert into sidebar_folders (org_id, identifier, title, parent, after)
    values (${orgId}, ${identifier}, ${title}, ${parent}, ${after})`);
}

export async function updateFolderRow(tx: Tx, orgId: string, key: number, folder: FolderRow): Promise<void> {
  const { identifier, title, parent, after } = folder;
  await tx.execute(sql`
    update sidebar_folders set identifier = ${identifier}, title = ${title}, parent = ${parent}, after = ${after}
    where org_id = ${orgId} and key = ${key}`);
}

export async function deleteFolderRow(tx: Tx, orgId: string, key: number): Promise<void> {
  await tx.execute(sql`delete from sidebar_folders where org_id = ${orgId} and key = ${key}`);
}

/** Moves pages and folders to another folder or the top level. */
export async function moveContents(tx: Tx, orgId: string, from: string, to: string | null): Promise<void> {
  await tx.execute(sql`update sidebar_folders set parent = ${to} where org_id = ${orgId} and parent = ${from}`);
  await tx.execute(sql`
    update pages set definition = jsonb_set_lax(definition, '{parent}', ${to === null ? null : json(to)}::jsonb, true, 'delete_key')
    where org_id = ${orgId} and definition ->> 'parent' = ${from}`);
}
