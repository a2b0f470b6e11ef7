import sql, { empty, type Sql } from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { computed, field, row } from '../../platform/db/row.ts';

/** An event with its position in the stream; sequences start at 1 without gaps. */
export interface NumberedEvent {
  readonly sequence: number;
  readonly event: string;
  readonly data: unknown;
  /** Authors of the text of a tool's result; stored and not sent. */
  readonly label?: readonly string[];
}

export interface EventBatch {
  readonly orgId: string;
  readonly invocationId: string;
  readonly events: readonly NumberedEvent[];
}

/** Stores batches of any number of invocations in one statement; stored batches stay unchanged. */
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

/** The insert of one non-empty batch, as part of another statement. */
export function batchInsert({ orgId, invocationId, events }: EventBatch, from: Sql = empty): Sql {
  return sql`
    insert into invocation_events (org_id, invocation_id, first_sequence, last_sequence, events)
    select ${orgId}::text, ${invocationId}::text, ${events[0]?.sequence}::int, ${events.at(-1)?.sequence}::int,
      ${encode(events)}::json ${from}
    on conflict do nothing`;
}

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
  return rows.flatMap(({ events }) => eventsAfter(events, after));
}

const isRunningRow = row({ isRunning: computed.boolean, last: computed.number });

/** Whether an invocation is running, and its last visible event, in one snapshot. */
export function findStreamState(
  reader: Reader,
  orgId: string,
  invocationId: string,
): Promise<{ readonly isRunning: boolean; readonly last: number } | undefined> {
  return reader.first(isRunningRow.sql`
    select i.state = 'running' as "isRunning", (select coalesce(max(e.last_sequence), 0) from invocation_events e
      where e.org_id = ${orgId} and e.invocation_id = i.id) as last
    from invocations i where i.org_id = ${orgId} and i.id = ${invocationId}`);
}

const lastRow = row({ last: computed.number });

export async function lastSequence(reader: Reader, orgId: string, invocationId: string): Promise<number> {
  const row = await reader.first(lastRow.sql`
    select coalesce(max(last_sequence), 0) as last from invocation_events
    where org_id = ${orgId} and invocation_id = ${invocationId}`);
  return row?.last ?? 0;
}

const eventsRow = row({ events: computed.json.as<[number, string, unknown][]>().orNull() });

/** The first batches of a stream up to so many bytes, and whether that is all. */
export async function readEventsWithin(
  reader: Reader,
  orgId: string,
  invocationId: string,
  bytesMax: number,
): Promise<{ readonly events: NumberedEvent[]; readonly isWhole: boolean }> {
  const rows = await reader.rows(eventsRow.sql`
    select case when bytes <= ${bytesMax} then events end as events from (
      select events, first_sequence, sum(octet_length(events::text)) over (order by first_sequence) as bytes
      from invocation_events where org_id = ${orgId} and invocation_id = ${invocationId}) batch
    order by first_sequence`);
  const kept = rows.flatMap(({ events }) => (events ? [events] : []));
  return { events: kept.flatMap((events) => eventsAfter(events, 0)), isWhole: kept.length === rows.length };
}

const invocationEventRow = row({
  isRunning: computed.boolean,
  events: field('invocation_events', 'events').as<[number, string, unknown][]>().orNull(),
});

/** Events after a sequence and the invocation's state, in one snapshot; undefined if there is no such invocation. */
export async function readStored(
  reader: Reader,
  orgId: string,
  invocationId: string,
  after: number,
): Promise<{ readonly isRunning: boolean; readonly events: NumberedEvent[] } | undefined> {
  const rows = await reader.rows(invocationEventRow.sql`
    select i.state = 'running' as "isRunning", e.events from invocations i
    left join invocation_events e on e.org_id = i.org_id and e.invocation_id = i.id and e.last_sequence > ${after}
    where i.org_id = ${orgId} and i.id = ${invocationId} order by e.first_sequence`);
  const [first] = rows;
  return (
    first && { isRunning: first.isRunning, events: rows.flatMap(({ events }) => eventsAfter(events ?? [], after)) }
  );
}

/** The given streams, of any organization, that have more events than known, or have ended. */
export function findStored(
  reader: Reader,
  known: readonly { readonly orgId: string; readonly invocationId: string; readonly after: number }[],
): Promise<{ readonly orgId: string; readonly invocationId: string }[]> {
  return reader.rows(sql`
    select k.org_id as "orgId", k.id as "invocationId" from unnest(${known.map(({ orgId }) => orgId)}::text[],
      ${known.map(({ invocationId }) => invocationId)}::text[], ${known.map(({ after }) => after)}::int[])
      as k (org_id, id, after) /* all organizations */
    left join invocations i on i.org_id = k.org_id and i.id = k.id
    where i.state is distinct from 'running' or exists (select 1 from invocation_events e
      where e.org_id = k.org_id and e.invocation_id = k.id and e.last_sequence > k.after)`);
}

export async function deleteEvents(tx: Tx, orgId: string, invocationIds: readonly string[]): Promise<void> {
  await tx.execute(
    sql`delete from invocation_events where org_id = ${orgId} and invocation_id = any(${invocationIds}::text[])`,
  );
}

function eventsAfter(events: readonly [number, string, unknown][], after: number): NumberedEvent[] {
  return events
    .map(([sequence, event, data]) => ({ sequence, event, data }))
    .filter(({ sequence }) => sequence > after);
}

function encode(events: readonly NumberedEvent[]): string {
  return JSON.stringify(
    events.map(({ sequence, event, data, label }) => [sequence, event, data, ...(label ? [label] : [])]),
  );
}
