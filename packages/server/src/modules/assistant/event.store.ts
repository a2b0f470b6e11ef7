import sql, { empty, type Sql } from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';

/** An event with its place in the stream of its invocation; sequences begin at 1 and have no gaps. */
export interface NumberedEvent {
  readonly sequence: number;
  readonly event: string;
  readonly data: unknown;
}

/** Events of one invocation that are stored together. */
export interface EventBatch {
  readonly orgId: string;
  readonly invocationId: string;
  readonly events: readonly NumberedEvent[];
}

/** Stores batches of any number of invocations in one statement. A batch that is there already stays as it is. */
export async function insertEventBatches(tx: Pick<Tx, 'execute'>, batches: readonly EventBatch[]): Promise<void> {
  const filled = batches.filter(({ events }) => events.length > 0);
  if (filled.length === 0) return;
  await tx.execute(sql`
    insert into invocation_events (org_id, invocation_id, first_sequence, last_sequence, events)
    select * from unnest(${filled.map(({ orgId }) => orgId)}::text[],
      ${filled.map(({ invocationId }) => invocationId)}::text[],
      ${filled.map(({ events }) => events[0]?.sequence)}::int[],
      ${filled.map(({ events }) => events.at(-1)?.sequence)}::int[],
      ${filled.map(({ events }) => encode(events))}::json[])
    on conflict do nothing`);
}

/** The insert of one batch, which has events, as a part of another statement. */
export function batchInsert({ orgId, invocationId, events }: EventBatch, from: Sql = empty): Sql {
  return sql`
    insert into invocation_events (org_id, invocation_id, first_sequence, last_sequence, events)
    select ${orgId}::text, ${invocationId}::text, ${events[0]?.sequence}::int, ${events.at(-1)?.sequence}::int,
      ${encode(events)}::json ${from}
    on conflict do nothing`;
}

/** Events after a sequence, in order. */
export async function readEventsAfter(
  reader: Reader,
  orgId: string,
  invocationId: string,
  after: number,
): Promise<NumberedEvent[]> {
  const rows = await reader.rows<{ events: [number, string, unknown][] }>(sql`
    select events from invocation_events
    where org_id = ${orgId} and invocation_id = ${invocationId} and last_sequence > ${after}
    order by first_sequence`);
  return rows
    .flatMap(({ events }) => events.map(([sequence, event, data]) => ({ sequence, event, data })))
    .filter(({ sequence }) => sequence > after);
}

export async function lastSequence(reader: Reader, orgId: string, invocationId: string): Promise<number> {
  const row = await reader.first<{ last: number }>(sql`
    select coalesce(max(last_sequence), 0) as last from invocation_events
    where org_id = ${orgId} and invocation_id = ${invocationId}`);
  return row?.last ?? 0;
}

function encode(events: readonly NumberedEvent[]): string {
  return JSON.stringify(events.map(({ sequence, event, data }) => [sequence, event, data]));
}
