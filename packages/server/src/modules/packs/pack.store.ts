import type { PackItemKind } from '@portolan/contract/packs';
import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { json } from '../../platform/db/json.ts';
import { computed, field, fields, type RowOf, row } from '../../platform/db/row.ts';
import type { ItemName } from './pack-item.ts';

const installedPack = row(fields('packs', 'pack', 'version', 'installed_at', 'installed_by'));
export type InstalledPack = RowOf<typeof installedPack>;

export function listInstalledPacks(reader: Reader, orgId: string): Promise<InstalledPack[]> {
  return reader.rows(installedPack.sql`
    select pack, version, installed_at as "installedAt", installed_by as "installedBy"
    from packs where org_id = ${orgId} order by pack`);
}

const madeItem = row({
  ...fields('pack_items', 'pack', 'blueprint', 'identifier', 'hash'),
  kind: field('pack_items', 'kind').as<PackItemKind>(),
});
/** An item that a pack made, with the hash of what it was. */
export type MadeItem = RowOf<typeof madeItem>;

/** What all installed packs made. */
export function listMadeItems(reader: Reader, orgId: string): Promise<MadeItem[]> {
  return reader.rows(madeItem.sql`
    select pack, kind, blueprint, identifier, hash from pack_items
    where org_id = ${orgId} order by pack, kind, blueprint, identifier`);
}

/** Any number that no other lock uses. */
const packsLock = 4_771_009;

/** Serializes installing and removing within an organization; taken before any blueprint is locked. */
export async function lockPacks(tx: Tx, orgId: string): Promise<void> {
  await tx.rows(sql`select pg_advisory_xact_lock(${packsLock}, hashtext(${orgId}))`);
}

export async function insertPack(
  tx: Tx,
  orgId: string,
  { pack, version, installedAt, installedBy }: InstalledPack,
  items: readonly (ItemName & { readonly hash: string })[],
): Promise<void> {
  await tx.execute(sql`
    insert into packs (org_id, pack, version, installed_at, installed_by)
    values (${orgId}, ${pack}, ${version}, ${installedAt}, ${installedBy})`);
  await tx.execute(sql`
    insert into pack_items (org_id, pack, kind, blueprint, identifier, hash)
    select ${orgId}, ${pack}, i.kind, i.blueprint, i.identifier, i.hash
    from jsonb_to_recordset(${json(items)}::jsonb) as i (kind text, blueprint text, identifier text, hash text)`);
}

/** Its items go with it. */
export async function deletePack(tx: Tx, orgId: string, pack: string): Promise<void> {
  await tx.execute(sql`delete from packs where org_id = ${orgId} and pack = ${pack}`);
}

const count = row({ count: computed.number });

/** Entities of a blueprint, counted no further than that. */
export async function countEntities(reader: Reader, orgId: string, blueprintKey: number, most: number) {
  const rows = await reader.rows(count.sql`
    select count(*)::int as count from (
      select 1 from entities where org_id = ${orgId} and blueprint_key = ${blueprintKey} limit ${most}) as counted`);
  return rows[0]?.count ?? 0;
}

const named = row(fields('entities', 'identifier'));

export async function listEntityIdentifiers(reader: Reader, orgId: string, blueprintKey: number): Promise<string[]> {
  const rows = await reader.rows(named.sql`
    select identifier from entities where org_id = ${orgId} and blueprint_key = ${blueprintKey} order by key`);
  return rows.map(({ identifier }) => identifier);
}

/** Whether any entity has a value of the property. */
export async function hasPropertyValues(reader: Reader, orgId: string, blueprintKey: number, property: string) {
  const rows = await reader.rows(sql`
    select 1 from entities
    where org_id = ${orgId} and blueprint_key = ${blueprintKey} and properties ? ${property} limit 1`);
  return rows.length > 0;
}
