import sql, { type Sql } from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import { computed, countRow, field, fields, row } from '../../../platform/db/row.ts';

/** What a source wrote for a part of an item, beside the state of its entity today. */
const ledgerRow = row({
  ...fields('source_items', 'item_key', 'position', 'entity_key', 'hash', 'seen_in', 'created_in', 'changed_in'),
  /** The entity is as this source left it, or the item makes none. */
  isCurrent: computed.boolean,
});

/** Items are looked up one by one: before the table is analyzed, the planner would read everything of the source. */
export function findLedger(reader: Reader, orgId: string, sourceKey: number, itemKeys: readonly string[]) {
  return reader.rows(ledgerRow.sql`
    select i.item_key as "itemKey", i.position, i.entity_key as "entityKey", i.hash, i.seen_in as "seenIn",
      i.created_in as "createdIn", i.changed_in as "changedIn",
      (i.entity_key is null or coalesce(e.version = i.entity_version, false)) as "isCurrent"
    from unnest(${[...new Set(itemKeys)]}::text[]) as k(item_key)
    cross join lateral (
      select x.* from source_items x
      where x.org_id = ${orgId} and x.source_key = ${sourceKey} and x.item_key = k.item_key
      order by x.position offset 0) i
    left join lateral (
      select x.version from entities x where x.org_id = ${orgId} and x.key = i.entity_key limit 1) e on true`);
}

/** Notes that items were read again as they were; found one by one, like above. The open sync is the only writer. */
export async function markSeen(
  tx: Tx,
  orgId: string,
  sourceKey: number,
  syncKey: number,
  itemKeys: readonly string[],
): Promise<void> {
  if (itemKeys.length === 0) return;
  await tx.execute(sql`
    update source_items i set seen_in = ${syncKey}, gone_since = null
    from unnest(${[...new Set(itemKeys)]}::text[]) as k(item_key)
    cross join lateral (
      select x.ctid as place from source_items x
      where x.org_id = ${orgId} and x.source_key = ${sourceKey} and x.item_key = k.item_key
        and (x.seen_in <> ${syncKey} or x.gone_since is not null)
      offset 0) p
    where i.ctid = p.place and i.org_id = ${orgId}`);
}

/** Notes that items are there although not all of them could be stored: they are not gone, and tried again. */
export async function markTried(
  tx: Tx,
  orgId: string,
  sourceKey: number,
  syncKey: number,
  itemKeys: readonly string[],
): Promise<void> {
  if (itemKeys.length === 0) return;
  await tx.execute(sql`
    update source_items i set seen_in = ${syncKey}, gone_since = null, hash = null
    from unnest(${[...new Set(itemKeys)]}::text[]) as k(item_key)
    cross join lateral (
      select x.ctid as place from source_items x
      where x.org_id = ${orgId} and x.source_key = ${sourceKey} and x.item_key = k.item_key
      offset 0) p
    where i.ctid = p.place and i.org_id = ${orgId}`);
}

/** Notes that what could not be read is not gone. */
export async function markUnread(
  tx: Tx,
  orgId: string,
  sourceKey: number,
  syncKey: number,
  prefixes: readonly string[],
): Promise<void> {
  await tx.execute(sql`
    update source_items i set seen_in = ${syncKey}, gone_since = null
    from unnest(${prefixes}::text[]) as r(prefix)
    where i.org_id = ${orgId} and i.source_key = ${sourceKey} and i.item_key >= r.prefix
      and starts_with(i.item_key, r.prefix)`);
}

/** The state of a written part. */
export interface LedgerEntry {
  readonly itemKey: string;
  readonly position: number;
  readonly entityKey: number | null;
  readonly blueprintKey: number | null;
  /** Null where the item has to be tried again the next time. */
  readonly hash: string | null;
  readonly version: number | null;
  readonly change: 'created' | 'changed' | 'unchanged';
  /** The entity before, where it was changed. */
  readonly replaced: object | null;
}

/**
 * Writes what the source left behind. What an entity was is kept from before the first change of a sync; an entity that
 * the source created stays its creation.
 */
export async function putLedger(
  tx: Tx,
  orgId: string,
  sourceKey: number,
  syncKey: number,
  entries: readonly LedgerEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  await tx.execute(sql`
    insert into source_items as i (org_id, source_key, item_key, position, entity_key, blueprint_key, hash,
      entity_version, seen_in, created_in, changed_in, replaced)
    select ${orgId}, ${sourceKey}, r."itemKey", r.position, r."entityKey", r."blueprintKey", decode(r.hash, 'hex'),
      r.version, ${syncKey}, case when r.change = 'created' then ${syncKey}::bigint end,
      case when r.change = 'changed' then ${syncKey}::bigint end, r.replaced
    from jsonb_to_recordset(${json(entries)}::jsonb) as r("itemKey" text, position int, "entityKey" bigint,
      "blueprintKey" bigint, hash text, version bigint, change text, replaced jsonb)
    on conflict (org_id, source_key, item_key, position) do update set
      entity_key = excluded.entity_key, blueprint_key = excluded.blueprint_key, hash = excluded.hash,
      entity_version = excluded.entity_version, seen_in = excluded.seen_in, gone_since = null,
      created_in = coalesce(excluded.created_in, case when i.entity_key = excluded.entity_key then i.created_in end),
      replaced = case when excluded.changed_in is null or i.changed_in = excluded.changed_in then i.replaced
        else excluded.replaced end,
      changed_in = coalesce(excluded.changed_in, i.changed_in)`);
}

/** Parts that a whole pass did not see. */
export async function countUnseen(reader: Reader, orgId: string, sourceKey: number, syncKey: number): Promise<number> {
  const counted = await reader.first(countRow.sql`
    select count(*)::int as count from source_items
    where org_id = ${orgId} and source_key = ${sourceKey} and seen_in <> ${syncKey} and entity_key is not null`);
  return counted?.count ?? 0;
}

export async function countLedger(reader: Reader, orgId: string, sourceKey: number): Promise<number> {
  const counted = await reader.first(countRow.sql`
    select count(*)::int as count from source_items
    where org_id = ${orgId} and source_key = ${sourceKey} and entity_key is not null`);
  return counted?.count ?? 0;
}

/** A part that is gone, with its entity and why that may not be deleted. */
const unseenRow = row({
  ...fields('source_items', 'item_key', 'position', 'gone_since', 'seen_in'),
  entityKey: field('entities', 'key').as<number>(),
  identifier: field('entities', 'identifier').as<string>(),
  blueprint: field('blueprints', 'identifier').as<string>(),
  /** This source made the entity, and nobody else has written it since. */
  isOurs: computed.boolean,
  /** Another source brings it too. */
  isShared: computed.boolean,
});

const missingColumns = (orgId: string, seenBy: Sql) => sql`
  select i.item_key as "itemKey", i.position, i.gone_since as "goneSince", i.seen_in as "seenIn",
    e.key as "entityKey", e.identifier,
    b.identifier as blueprint,
    (i.created_in is not null and e.version = i.entity_version) as "isOurs",
    exists (select from source_items o where o.org_id = ${orgId} and o.entity_key = i.entity_key
      and (o.source_key, o.item_key) <> (i.source_key, i.item_key) and (o.source_key <> i.source_key or ${seenBy}))
      as "isShared"
  from source_items i
  join entities e on e.org_id = i.org_id and e.key = i.entity_key
  join blueprints b on b.org_id = e.org_id and b.key = e.blueprint_key
  where i.org_id = ${orgId}`;

/** Parts with an entity that a whole pass did not see, in the order of their items. */
export function listUnseen(
  reader: Reader,
  orgId: string,
  sourceKey: number,
  syncKey: number,
  after: { readonly itemKey: string; readonly position: number } | undefined,
  limit: number,
) {
  return reader.rows(unseenRow.sql`${missingColumns(orgId, sql`o.seen_in = ${syncKey}`)}
    and i.source_key = ${sourceKey} and i.seen_in <> ${syncKey}
    and (i.item_key, i.position) > (${after?.itemKey ?? ''}, ${after?.position ?? -1})
    order by i.item_key, i.position limit ${limit}`);
}

/** Parts with an entity: of these items, or all that a plan did not meet. */
export function findParts(
  reader: Reader,
  orgId: string,
  sourceKey: number,
  itemKeys: readonly string[] | undefined,
  planKey = 0,
) {
  const chosen =
    itemKeys === undefined
      ? sql`not exists (select from source_changes c
          where c.org_id = ${orgId} and c.sync_key = ${planKey} and c.item_key = i.item_key)`
      : sql`i.item_key = any(${itemKeys}::text[])`;
  return reader.rows(unseenRow.sql`${missingColumns(orgId, sql`false`)}
    and i.source_key = ${sourceKey} and ${chosen} order by i.item_key, i.position`);
}

/** A part of the ledger as it was listed. */
export interface ListedPart {
  readonly itemKey: string;
  readonly position: number;
  readonly entityKey: number;
  readonly blueprint: string;
  readonly seenIn: number;
}

/** Locks the entities of parts until the transaction ends, in the order in which others lock them. */
export async function lockPartEntities(tx: Tx, orgId: string, parts: readonly ListedPart[]): Promise<void> {
  await tx.rows(sql`
    select e.key from entities e where e.org_id = ${orgId} and e.key = any(${parts.map(({ entityKey }) => entityKey)}::bigint[])
    order by e.key for no key update`);
}

/** How many of the parts are as they were listed, with entities that nobody else has written or brings. */
export async function countOwnParts(
  reader: Reader,
  orgId: string,
  sourceKey: number,
  parts: readonly ListedPart[],
): Promise<number> {
  const counted = await reader.first(countRow.sql`
    select count(*)::int as count
    from unnest(${parts.map(({ itemKey }) => itemKey)}::text[], ${parts.map(({ position }) => position)}::int[],
      ${parts.map(({ entityKey }) => entityKey)}::bigint[], ${parts.map(({ seenIn }) => seenIn)}::bigint[])
      as r(item, at, entity, seen)
    join source_items i on i.org_id = ${orgId} and i.source_key = ${sourceKey} and i.item_key = r.item
      and i.position = r.at and i.entity_key = r.entity and i.seen_in = r.seen
    join entities e on e.org_id = i.org_id and e.key = i.entity_key and e.version = i.entity_version
    where not exists (select from source_items o where o.org_id = ${orgId} and o.entity_key = i.entity_key
      and o.source_key <> i.source_key)`);
  return counted?.count ?? 0;
}

export async function markGone(
  tx: Tx,
  orgId: string,
  sourceKey: number,
  parts: readonly { readonly itemKey: string; readonly position: number }[],
  now: Date,
): Promise<void> {
  if (parts.length === 0) return;
  await tx.execute(sql`
    update source_items i set gone_since = coalesce(i.gone_since, ${now})
    from unnest(${parts.map(({ itemKey }) => itemKey)}::text[], ${parts.map(({ position }) => position)}::int[]) as r(item, at)
    where i.org_id = ${orgId} and i.source_key = ${sourceKey} and i.item_key = r.item and i.position = r.at`);
}

export async function deleteLedger(
  tx: Tx,
  orgId: string,
  sourceKey: number,
  parts: readonly { readonly itemKey: string; readonly position: number }[],
): Promise<void> {
  if (parts.length === 0) return;
  await tx.execute(sql`
    delete from source_items i
    using unnest(${parts.map(({ itemKey }) => itemKey)}::text[], ${parts.map(({ position }) => position)}::int[]) as r(item, at)
    where i.org_id = ${orgId} and i.source_key = ${sourceKey} and i.item_key = r.item and i.position = r.at`);
}
