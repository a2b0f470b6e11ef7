import sql, { join, type Sql } from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import { field, fields, type RowOf, row } from '../../../platform/db/row.ts';

const storedLog = row({
  ...fields('integration_logs', 'id', 'level', 'message', 'event_id', 'at'),
  attributes: field('integration_logs', 'attributes').as<Readonly<Record<string, unknown>>>(),
});
export type StoredLog = RowOf<typeof storedLog>;

const kept = 10_000;

const integrationLogKey = row(fields('integration_logs', 'key'));

/** Adds records, and occasionally deletes the oldest beyond ten thousand. */
export async function insertLogs(tx: Tx, orgId: string, integrationKey: number, logs: readonly StoredLog[]) {
  if (logs.length === 0) return;
  const rows = logs.map(
    ({ id, level, message, eventId, at, attributes }) =>
      sql`(${orgId}, ${integrationKey}, ${id}, ${level}, ${message}, ${eventId}, ${at}, ${json(attributes)})`,
  );
  const inserted = await tx.rows(integrationLogKey.sql`
    insert into integration_logs (org_id, integration_key, id, level, message, event_id, at, attributes)
    values ${join(rows)} returning key`);
  if (!inserted.some(({ key }) => Number(key) % 100 === 0)) return;
  await tx.execute(sql`
    delete from integration_logs where org_id = ${orgId} and integration_key = ${integrationKey} and key <= (
      select l.key from integration_logs l where l.org_id = ${orgId} and l.integration_key = ${integrationKey}
      order by l.key desc offset ${kept} limit 1)`);
}

export interface LogFilter {
  readonly limit: number;
  readonly at?: Date | undefined;
  readonly logId?: string | undefined;
  readonly isUpwards: boolean;
  readonly eventId?: string | undefined;
  readonly levels?: readonly string[] | undefined;
}

/** Records newest first by the integration's clock; `at` and `logId` name the last record of the previous page. */
export function selectLogs(
  reader: Reader,
  orgId: string,
  integrationKey: number,
  filter: LogFilter,
): Promise<StoredLog[]> {
  const conditions: Sql[] = [sql`l.org_id = ${orgId}`, sql`l.integration_key = ${integrationKey}`];
  const { at, logId, isUpwards, eventId, levels } = filter;
  if (at) {
    // if that record has been deleted, its time alone decides
    const key = sql`(select f.key from integration_logs f
      where f.org_id = ${orgId} and f.integration_key = ${integrationKey} and f.id = ${logId ?? ''})`;
    conditions.push(
      isUpwards
        ? sql`(l.at, l.key) > (${at}, coalesce(${key}, 9223372036854775807))`
        : sql`(l.at, l.key) < (${at}, coalesce(${key}, 0))`,
    );
  }
  if (eventId !== undefined) conditions.push(sql`l.event_id = ${eventId}`);
  if (levels) conditions.push(sql`l.level = any(${levels}::text[])`);
  const order = isUpwards ? sql`l.at, l.key` : sql`l.at desc, l.key desc`;
  return reader.rows(storedLog.sql`
    select l.id, l.level, l.message, l.event_id as "eventId", l.at, l.attributes from integration_logs l
    where ${join(conditions, ' and ')} order by ${order} limit ${filter.limit}`);
}
