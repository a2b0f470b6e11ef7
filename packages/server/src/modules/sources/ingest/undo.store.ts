import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { computed, field, fields, row } from '../../../platform/db/row.ts';

const undoablePart = row({
  ...fields('source_items', 'item_key', 'position', 'created_in', 'changed_in', 'seen_in'),
  entityKey: field('entities', 'key').as<number>(),
  version: field('source_items', 'entity_version'),
  identifier: field('entities', 'identifier').as<string>(),
  blueprint: field('blueprints', 'identifier').as<string>(),
  /** Nobody has written the entity since, and what was created no other source brings. */
  isCurrent: computed.boolean,
  replaced: field('source_items', 'replaced').as<{ readonly ownTeamRefs?: readonly string[] }>(),
});
export type UndoablePart = Awaited<ReturnType<typeof listUndoable>>[number];

/** What a sync created or changed last, in the order of creation. */
export function listUndoable(reader: Reader, orgId: string, sourceKey: number, syncKey: number) {
  return reader.rows(undoablePart.sql`
    select i.item_key as "itemKey", i.position, i.created_in as "createdIn", i.changed_in as "changedIn",
      i.seen_in as "seenIn", e.key as "entityKey", i.entity_version as version, e.identifier, b.identifier as blueprint,
      (coalesce(e.version = i.entity_version, false) and (i.created_in is distinct from ${syncKey}::bigint or not exists (
        select from source_items o where o.org_id = ${orgId} and o.entity_key = i.entity_key
          and o.source_key <> i.source_key))) as "isCurrent", i.replaced
    from source_items i
    join entities e on e.org_id = i.org_id and e.key = i.entity_key
    join blueprints b on b.org_id = e.org_id and b.key = e.blueprint_key
    where i.org_id = ${orgId} and i.source_key = ${sourceKey}
      and (i.created_in = ${syncKey} or (i.changed_in = ${syncKey} and i.replaced is not null))
    order by i.entity_key`);
}

/** Restored entities are as before; the source writes them again when it is read the next time. */
export async function settleRestored(
  tx: Tx,
  orgId: string,
  sourceKey: number,
  parts: readonly { readonly itemKey: string; readonly position: number }[],
): Promise<void> {
  await tx.execute(sql`
    update source_items i set hash = null, replaced = null, changed_in = null
    from unnest(${parts.map(({ itemKey }) => itemKey)}::text[], ${parts.map(({ position }) => position)}::int[]) as r(item, at)
    where i.org_id = ${orgId} and i.source_key = ${sourceKey} and i.item_key = r.item and i.position = r.at`);
}
