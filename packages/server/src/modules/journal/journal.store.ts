import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { momentOfEventId } from './event-id.ts';

/** A record as it is stored. Entities in `before` and `after` name their teams by references. */
export interface StoredRecord {
  readonly id: string;
  readonly key: number;
  readonly at: Date;
  /** Noun then past: `entity.updated`. */
  readonly event: string;
  readonly action: string;
  readonly status: 'SUCCESS' | 'FAILURE';
  readonly resourceType: string;
  readonly identifier: string;
  readonly context: Readonly<Record<string, string>>;
  readonly actorId: string;
  readonly actorKind: string;
  readonly origin: string;
  readonly datasource: string;
  readonly message: string | null;
  readonly before: unknown;
  readonly after: unknown;
  readonly additionalData: Readonly<Record<string, unknown>> | null;
}

const plainColumns = `j.id, j.key, j.at, j.event, j.action, j.status, j.resource_type as "resourceType", j.identifier, j.context,
  j.actor_id as "actorId", j.actor_kind as "actorKind", j.origin, j.datasource, j.message,
  j.additional_data as "additionalData"`;
/** Of `journal j`, a whole record. */
export const storedRecordColumns: Sql = raw(`${plainColumns}, j.before, j.after`);

/** Where a page ended: the last record's moment and key. */
export interface Position {
  readonly at: Date;
  readonly key: number;
}

/** Records that satisfy all conditions on `journal j`, newest first; with `isDiffWanted` false without their diffs. */
export function selectRecords(
  reader: Reader,
  orgId: string,
  conditions: readonly Sql[],
  page: { readonly after: Position | undefined; readonly limit: number; readonly isDiffWanted: boolean },
): Promise<StoredRecord[]> {
  const { after, limit, isDiffWanted } = page;
  const following = after ? [sql`(j.at, j.key) < (${after.at}, ${after.key})`] : [];
  const diff = isDiffWanted ? sql`j.before, j.after` : sql`null::jsonb as before, null::jsonb as after`;
  return reader.rows<StoredRecord>(sql`
    select ${raw(plainColumns)}, ${diff}
    from journal j
    where ${join([sql`j.org_id = ${orgId}`, ...following, ...conditions], ' and ')}
    order by j.at desc, j.key desc limit ${limit}`);
}

/** One record by its identifier. */
export function findRecord(reader: Reader, orgId: string, id: string): Promise<StoredRecord | undefined> {
  const at = momentOfEventId(id);
  if (!at) return Promise.resolve(undefined);
  return reader.first<StoredRecord>(sql`
    select ${storedRecordColumns} from journal j where j.org_id = ${orgId} and j.at = ${at} and j.id = ${id}`);
}

/** The organizations that have records; a step of the index for each, whatever the number of records. */
export async function listRecordingOrganizations(reader: Reader): Promise<string[]> {
  const rows = await reader.rows<{ orgId: string }>(sql`
    with recursive recording as (
      (select org_id from journal order by org_id limit 1)
      union all
      select (select j.org_id from journal j where j.org_id > r.org_id order by j.org_id limit 1)
      from recording r where r.org_id is not null
    )
    select org_id as "orgId" from recording where org_id is not null /* all organizations */`);
  return rows.map(({ orgId }) => orgId);
}

/** Deletes records from before a moment, oldest first, and answers how many. */
export function deleteRecordsBefore(tx: Tx, orgId: string, before: Date, limit: number): Promise<number> {
  return tx.execute(sql`
    delete from journal where org_id = ${orgId} and key in (
      select key from journal where org_id = ${orgId} and at < ${before} order by at, key limit ${limit})`);
}
