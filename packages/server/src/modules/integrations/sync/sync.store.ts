import type { KindExample, SyncKindMetrics } from '@portolan/contract/integration-reports';
import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import { computed, countRow, field, fields, type RowOf, row } from '../../../platform/db/row.ts';

export type Cursor = Readonly<Record<string, unknown>>;

interface Kind {
  readonly orgId: string;
  readonly integrationKey: number;
  readonly kind: string;
}

interface Place extends Kind {
  readonly index: string;
}

const cursorRow = row({ cursor: field('integration_cursors', 'cursor').as<Cursor>() });

export async function findCursor(reader: Reader, place: Place): Promise<Cursor | undefined> {
  const { orgId, integrationKey: key, kind, index } = place;
  const row = await reader.first(cursorRow.sql`
    select cursor from integration_cursors
    where org_id = ${orgId} and integration_key = ${key} and kind = ${kind} and index = ${index}`);
  return row?.cursor;
}

/** Returns false if there is none. */
export async function updateCursor(tx: Tx, place: Place, cursor: Cursor, now: Date): Promise<boolean> {
  const { orgId, integrationKey: key, kind, index } = place;
  const changed = await tx.execute(sql`
    update integration_cursors set cursor = ${json(cursor)}, updated_at = ${now}
    where org_id = ${orgId} and integration_key = ${key} and kind = ${kind} and index = ${index}`);
  return changed > 0;
}

export async function insertCursor(tx: Tx, place: Place, cursor: Cursor, now: Date): Promise<void> {
  const { orgId, integrationKey: key, kind, index } = place;
  await tx.execute(sql`
    insert into integration_cursors (org_id, integration_key, kind, index, cursor, updated_at)
    values (${orgId}, ${key}, ${kind}, ${index}, ${json(cursor)}, ${now})
    on conflict (org_id, integration_key, kind, index)
    do update set cursor = excluded.cursor, updated_at = excluded.updated_at`);
}

export async function countOtherKinds(reader: Reader, { orgId, integrationKey, kind }: Kind): Promise<number> {
  const row = await reader.first(countRow.sql`
    select count(*)::int as count from integration_examples
    where org_id = ${orgId} and integration_key = ${integrationKey} and kind <> ${kind}`);
  return row?.count ?? 0;
}

/** Adds examples of a kind and keeps only the latest. */
export async function addToExamples(
  tx: Tx,
  { orgId, integrationKey: key, kind }: Kind,
  { fresh, kept, at }: { readonly fresh: readonly object[]; readonly kept: number; readonly at: Date },
): Promise<void> {
  await tx.execute(sql`
    insert into integration_examples as x (org_id, integration_key, kind, examples, updated_at)
    values (${orgId}, ${key}, ${kind}, ${json(fresh)}, ${at})
    on conflict (org_id, integration_key, kind) do update set updated_at = excluded.updated_at,
      examples = jsonb_path_query_array(x.examples || excluded.examples, ${`$[last - ${kept - 1} to last]`}::jsonpath)`);
}

const integrationExampleRow = row({
  ...fields('integration_examples', 'kind'),
  examples: field('integration_examples', 'examples').as<KindExample[]>(),
});

export function listExamples(
  reader: Reader,
  orgId: string,
  key: number,
): Promise<{ readonly kind: string; readonly examples: KindExample[] }[]> {
  return reader.rows(integrationExampleRow.sql`
    select kind, examples from integration_examples
    where org_id = ${orgId} and integration_key = ${key} order by kind`);
}

/** Replaces the earlier report on this kind of the resync. */
export async function upsertSyncKind(
  tx: Tx,
  { orgId, integrationKey: key }: Pick<Kind, 'orgId' | 'integrationKey'>,
  { eventId, kindIdentifier, ...rest }: SyncKindMetrics,
  now: Date,
): Promise<void> {
  await tx.execute(sql`
    insert into integration_syncs (org_id, integration_key, event_id, kind_identifier, sync_state, metrics,
      created_at, updated_at)
    values (${orgId}, ${key}, ${eventId}, ${kindIdentifier}, ${rest.syncState ?? 'unknown'}, ${json(rest)},
      ${now}, ${now})
    on conflict (org_id, integration_key, event_id, kind_identifier)
    do update set metrics = excluded.metrics, sync_state = excluded.sync_state, updated_at = excluded.updated_at`);
}

/** Marks the unfinished kinds of a resync as still alive. */
export async function touchSync(tx: Tx, orgId: string, key: number, eventId: string, now: Date): Promise<void> {
  await tx.execute(sql`
    update integration_syncs set updated_at = ${now}
    where org_id = ${orgId} and integration_key = ${key} and event_id = ${eventId}
      and lower(sync_state) not in ('completed', 'failed', 'aborted')`);
}

/** Deletes resyncs older than a moment, except the latest that are kept regardless of age. */
export async function deleteOldSyncs(
  tx: Tx,
  orgId: string,
  key: number,
  { since, kept }: { readonly since: Date; readonly kept: number },
): Promise<void> {
  await tx.execute(sql`
    delete from integration_syncs where org_id = ${orgId} and integration_key = ${key} and event_id in (
      select s.event_id from integration_syncs s where s.org_id = ${orgId} and s.integration_key = ${key}
      group by s.event_id having max(s.updated_at) < ${since} order by max(s.updated_at) desc offset ${kept})`);
}

const syncRow = row({
  ...fields('integration_syncs', 'event_id'),
  syncState: computed.text,
  createdAt: computed.time,
  updatedAt: computed.time,
});
export type SyncRow = RowOf<typeof syncRow>;

export interface SyncKindRow extends SyncRow {
  readonly kindIdentifier: string;
  readonly metrics: Readonly<Record<string, unknown>>;
}

const syncKindRow = row({
  ...fields('integration_syncs', 'kind_identifier', 'event_id', 'sync_state', 'created_at', 'updated_at'),
  metrics: field('integration_syncs', 'metrics').as<Readonly<Record<string, unknown>>>(),
});

/** Kinds of one resync; of the latest if none is named. */
export function listSyncKinds(
  reader: Reader,
  orgId: string,
  key: number,
  eventId: string | undefined,
): Promise<SyncKindRow[]> {
  const event =
    eventId === undefined
      ? sql`(select l.event_id from integration_syncs l where l.org_id = ${orgId} and l.integration_key = ${key}
          order by l.created_at desc, l.event_id limit 1)`
      : sql`${eventId}`;
  return reader.rows(syncKindRow.sql`
    select s.event_id as "eventId", s.kind_identifier as "kindIdentifier", s.sync_state as "syncState", s.metrics,
      s.created_at as "createdAt", s.updated_at as "updatedAt"
    from integration_syncs s where s.org_id = ${orgId} and s.integration_key = ${key} and s.event_id = ${event}
    order by s.created_at, s.kind_identifier`);
}

/** Resyncs, newest first, each in its last reported state. */
export function listSyncRows(reader: Reader, orgId: string, key: number): Promise<SyncRow[]> {
  return reader.rows(syncRow.sql`
    select s.event_id as "eventId", (array_agg(s.sync_state order by s.updated_at desc))[1] as "syncState",
      min(s.created_at) as "createdAt", max(s.updated_at) as "updatedAt"
    from integration_syncs s where s.org_id = ${orgId} and s.integration_key = ${key}
    group by s.event_id order by min(s.created_at) desc, s.event_id`);
}
