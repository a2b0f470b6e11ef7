import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import { countRow, field, fields, row } from '../../../platform/db/row.ts';
import type { IngestBody } from './ingest-item.ts';

/** The target of a relation that is not there yet. */
export interface AwaitedTarget {
  readonly blueprint: string;
  readonly identifier: string;
}

export interface WaitingItem {
  readonly line: number;
  readonly position: number;
  readonly itemKey: string;
  readonly blueprint: string;
  readonly identifier: string;
  readonly targets: readonly AwaitedTarget[];
}

const waitingItem = row({
  ...fields('source_waiting', 'line', 'position', 'item_key', 'blueprint', 'identifier'),
  targets: field('source_waiting', 'targets').as<readonly AwaitedTarget[]>(),
});
const waitingBody = row({
  ...waitingItem.fields,
  body: field('source_waiting', 'body').as<IngestBody>(),
});

export async function putWaiting(
  tx: Tx,
  orgId: string,
  syncKey: number,
  items: readonly (WaitingItem & { readonly body: IngestBody })[],
): Promise<void> {
  if (items.length === 0) return;
  await tx.execute(sql`
    insert into source_waiting (org_id, sync_key, line, position, item_key, blueprint, identifier, body, targets)
    select ${orgId}, ${syncKey}, r.line, r.position, r."itemKey", r.blueprint, r.identifier, r.body, r.targets
    from jsonb_to_recordset(${json(items)}::jsonb) as r(line bigint, position int, "itemKey" text, blueprint text,
      identifier text, body jsonb, targets jsonb)
    on conflict (org_id, sync_key, line, position) do update set targets = excluded.targets,
      body = excluded.body`);
}

/** All that wait, without their bodies. */
export function listWaiting(reader: Reader, orgId: string, syncKey: number): Promise<WaitingItem[]> {
  return reader.rows(waitingItem.sql`
    select line, position, item_key as "itemKey", blueprint, identifier, targets
    from source_waiting where org_id = ${orgId} and sync_key = ${syncKey} order by line, position`);
}

export function findWaiting(reader: Reader, orgId: string, syncKey: number, lines: readonly number[]) {
  return reader.rows(waitingBody.sql`
    select line, position, item_key as "itemKey", blueprint, identifier, targets, body
    from source_waiting where org_id = ${orgId} and sync_key = ${syncKey} and line = any(${lines}::bigint[])
    order by line, position`);
}

export async function dropWaiting(
  tx: Tx,
  orgId: string,
  syncKey: number,
  items: readonly Pick<WaitingItem, 'line' | 'position'>[],
): Promise<void> {
  if (items.length === 0) return;
  await tx.execute(sql`
    delete from source_waiting w
    using unnest(${items.map(({ line }) => line)}::bigint[], ${items.map(({ position }) => position)}::int[]) as r(line, at)
    where w.org_id = ${orgId} and w.sync_key = ${syncKey} and w.line = r.line and w.position = r.at`);
}

export interface PlannedChangeRow {
  /** Not stored. */
  readonly line?: number;
  readonly itemKey: string;
  readonly blueprint: string;
  readonly identifier: string;
  readonly change: 'created' | 'changed' | 'unchanged' | 'deleted' | 'marked';
  readonly before: object | null;
  readonly after: object | null;
}

export async function insertChanges(
  tx: Tx,
  orgId: string,
  syncKey: number,
  changes: readonly PlannedChangeRow[],
): Promise<void> {
  if (changes.length === 0) return;
  await tx.execute(sql`
    insert into source_changes (org_id, sync_key, item_key, blueprint, identifier, change, before, after)
    select ${orgId}, ${syncKey}, r."itemKey", r.blueprint, r.identifier, r.change, r.before, r.after
    from jsonb_to_recordset(${json(changes)}::jsonb) as r("itemKey" text, blueprint text, identifier text, change text,
      before jsonb, after jsonb)`);
}

/** Notes for a plan that items could not be read: what has such a key is not gone. */
export async function insertUnread(
  tx: Tx,
  orgId: string,
  { syncKey, sourceKey }: { readonly syncKey: number; readonly sourceKey: number },
  prefixes: readonly string[],
): Promise<void> {
  await tx.execute(sql`
    insert into source_changes (org_id, sync_key, item_key, blueprint, identifier, change)
    select distinct i.org_id, ${syncKey}::bigint, i.item_key, '', '', 'unchanged'
    from unnest(${prefixes}::text[]) as r(prefix)
    join source_items i on i.org_id = ${orgId} and i.source_key = ${sourceKey} and i.item_key >= r.prefix
      and starts_with(i.item_key, r.prefix)`);
}

const plannedName = row({
  ...fields('source_changes', 'blueprint', 'identifier'),
});

/** Which of these a plan creates. */
export function findPlanned(
  reader: Reader,
  orgId: string,
  syncKey: number,
  names: readonly AwaitedTarget[],
): Promise<AwaitedTarget[]> {
  if (names.length === 0) return Promise.resolve([]);
  return reader.rows(plannedName.sql`
    select distinct c.blueprint, c.identifier
    from unnest(${names.map(({ blueprint }) => blueprint)}::text[], ${names.map(({ identifier }) => identifier)}::text[])
      as r(blueprint, identifier)
    join source_changes c on c.org_id = ${orgId} and c.sync_key = ${syncKey} and c.blueprint = r.blueprint
      and c.identifier = r.identifier and c.change = 'created'`);
}

const changeRow = row({
  ...fields('source_changes', 'position', 'item_key', 'blueprint', 'identifier'),
  change: field('source_changes', 'change').as<PlannedChangeRow['change']>(),
  before: field('source_changes', 'before').as<Readonly<Record<string, never>>>(),
  after: field('source_changes', 'after').as<Readonly<Record<string, never>>>(),
});

/** What a plan would do, without what stays. */
export function listChanges(
  reader: Reader,
  orgId: string,
  syncKey: number,
  { after, change, limit }: { readonly after: number; readonly change?: string | undefined; readonly limit: number },
) {
  return reader.rows(changeRow.sql`
    select position, item_key as "itemKey", blueprint, identifier, change, before, after
    from source_changes
    where org_id = ${orgId} and sync_key = ${syncKey} and position > ${after} and change <> 'unchanged'
      and (${change ?? null}::text is null or change = ${change ?? null})
    order by position limit ${limit}`);
}

/** Parts of the ledger that a plan did not meet. */
export async function countUnplanned(
  reader: Reader,
  orgId: string,
  sourceKey: number,
  syncKey: number,
): Promise<number> {
  const counted = await reader.first(countRow.sql`
    select count(*)::int as count from source_items i
    where i.org_id = ${orgId} and i.source_key = ${sourceKey} and i.entity_key is not null and not exists (
      select from source_changes c where c.org_id = ${orgId} and c.sync_key = ${syncKey} and c.item_key = i.item_key)`);
  return counted?.count ?? 0;
}
