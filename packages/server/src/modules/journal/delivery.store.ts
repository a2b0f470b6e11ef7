import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { computed, field, fields, row } from '../../platform/db/row.ts';
import { recordFields, type StoredRecord, storedRecordColumns } from './journal.store.ts';

/** A consumer of events, by kind and identifier. */
export interface Target {
  readonly consumer: string;
  readonly target: string;
}

/** An event that a target has not processed yet. */
export interface Delivery {
  readonly target: string;
  readonly eventKey: number;
  /** Undefined if the record has been deleted from the journal. */
  readonly record: StoredRecord | undefined;
}

const eventDeliveryRow = row({
  ...recordFields,
  ...fields('event_deliveries', 'event_key'),
  before: field('journal', 'before').as<unknown>(),
  after: field('journal', 'after').as<unknown>(),
  targets: computed.texts,
});

/** Oldest unprocessed events of a consumer's targets, or of one of them; targets of one event share its record. */
export async function listDeliveries(
  reader: Reader,
  orgId: string,
  consumer: string,
  { target, limit }: { readonly target?: string; readonly limit: number },
): Promise<Delivery[]> {
  const whose = target === undefined ? sql`` : sql`and d.target = ${target}`;
  const rows = await reader.rows(eventDeliveryRow.sql`
    select w.targets, w.event_key as "eventKey", ${storedRecordColumns}
    from (
      select d.event_key, array_agg(d.target) as targets from (
        select d.event_key, d.target from event_deliveries d
        where d.org_id = ${orgId} and d.consumer = ${consumer} ${whose}
        order by d.event_key limit ${limit}) d
      group by d.event_key) w
    left join journal j on j.org_id = ${orgId} and j.key = w.event_key
    order by w.event_key`);
  return rows.flatMap(({ targets, eventKey, ...read }) => {
    const record = read.id === null ? undefined : read;
    return targets.map((name) => ({ target: name, eventKey, record }));
  });
}

const takenRow = row(fields('event_deliveries', 'target', 'event_key'));

/**
 * Deletes deliveries; the caller stores its reaction in the same transaction. Returns those that existed and that no
 * other replica had locked.
 */
export function takeDeliveries<Taken extends Pick<Delivery, 'target' | 'eventKey'>>(
  tx: Tx,
  orgId: string,
  consumer: string,
  deliveries: readonly Taken[],
): Promise<Pick<Delivery, 'target' | 'eventKey'>[]> {
  if (deliveries.length === 0) return Promise.resolve([]);
  // Rows locked by another replica are skipped: waiting could deadlock. Each is looked up by itself: planner
  // statistics see an empty queue, and a join would then scan all waiting rows for each of them.
  return tx.rows(takenRow.sql`
    with free as (
      select d.at from unnest(${deliveries.map(({ target }) => target)}::text[],
        ${deliveries.map(({ eventKey }) => eventKey)}::bigint[]) as wanted(target, event_key)
      cross join lateral (
        select e.ctid as at from event_deliveries e
        where e.org_id = ${orgId} and e.consumer = ${consumer} and e.event_key = wanted.event_key
          and e.target = wanted.target
        for update skip locked) d)
    delete from event_deliveries d where d.org_id = ${orgId} and d.ctid = any(array(select f.at from free f))
    returning d.target, d.event_key as "eventKey"`);
}

export async function dropDeliveries(tx: Tx, orgId: string, { consumer, target }: Target): Promise<void> {
  await tx.execute(sql`
    delete from event_deliveries where org_id = ${orgId} and consumer = ${consumer} and target = ${target}`);
}

const waitingTarget = row(fields('event_deliveries', 'org_id', 'target'));

export function listWaitingTargets(
  reader: Reader,
  consumer: string,
): Promise<{ readonly orgId: string; readonly target: string }[]> {
  return reader.rows(waitingTarget.sql`
    select distinct org_id as "orgId", target from event_deliveries where consumer = ${consumer} /* all organizations */`);
}

/** What happened to entities of a blueprint. */
export interface EarlierEvents {
  readonly blueprint: string;
  readonly events: readonly string[];
  readonly property: string | null;
  readonly from: Date;
}

/** Delivers what is in the journal already, oldest first; returns how many. */
export function deliverEarlier(
  tx: Tx,
  orgId: string,
  { consumer, target }: Target,
  { blueprint, events, property, from }: EarlierEvents,
  limit: number,
): Promise<number> {
  return tx.execute(sql`
    insert into event_deliveries (org_id, consumer, target, event_key)
    select ${orgId}, ${consumer}, ${target}, j.key from journal j
    where j.org_id = ${orgId} and j.resource_type = 'entity' and j.at >= ${from}
      and j.event = any(${[...events]}::text[]) and j.context ->> 'blueprint' = ${blueprint}
      and (${property}::text is null or j.context ->> 'property' = ${property})
    order by j.key limit ${limit}
    on conflict do nothing`);
}
