import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { type StoredRecord, storedRecordColumns } from './journal.store.ts';

/** Somebody who reacts to events: which kind, and which of them. */
export interface Target {
  readonly consumer: string;
  readonly target: string;
}

/** One event that a target has yet to react to. */
export interface Delivery {
  readonly target: string;
  readonly eventKey: number;
  /** Undefined once the journal no longer keeps it. */
  readonly record: StoredRecord | undefined;
}

/** The oldest events that the targets of a consumer, or one of them, have yet to react to. */
export async function listDeliveries(
  reader: Reader,
  orgId: string,
  consumer: string,
  { target, limit }: { readonly target?: string; readonly limit: number },
): Promise<Delivery[]> {
  const whose = target === undefined ? sql`true` : sql`d.target = ${target}`;
  const rows = await reader.rows<StoredRecord & { readonly target: string; readonly eventKey: number }>(sql`
    select d.target, d.event_key as "eventKey", ${storedRecordColumns}
    from (
      select d.org_id, d.target, d.event_key from event_deliveries d
      where d.org_id = ${orgId} and d.consumer = ${consumer} and ${whose}
      order by d.event_key limit ${limit}) d
    left join journal j on j.org_id = d.org_id and j.key = d.event_key
    order by d.event_key`);
  return rows.map(({ target: name, eventKey, ...record }) => ({
    target: name,
    eventKey,
    record: record.id === null ? undefined : record,
  }));
}

/**
 * Takes deliveries for good: whoever takes one stores its reaction in the same transaction. Answers those that were
 * there and that nobody else is taking.
 */
export function takeDeliveries<Taken extends Pick<Delivery, 'target' | 'eventKey'>>(
  tx: Tx,
  orgId: string,
  consumer: string,
  deliveries: readonly Taken[],
): Promise<Pick<Delivery, 'target' | 'eventKey'>[]> {
  if (deliveries.length === 0) return Promise.resolve([]);
  // those that another replica is taking are left to it: waiting for it could end in a deadlock
  return tx.rows(sql`
    with free as (
      select d.org_id, d.consumer, d.target, d.event_key from event_deliveries d
      join unnest(${deliveries.map(({ target }) => target)}::text[],
        ${deliveries.map(({ eventKey }) => eventKey)}::bigint[]) as wanted(target, event_key)
        on d.target = wanted.target and d.event_key = wanted.event_key
      where d.org_id = ${orgId} and d.consumer = ${consumer}
      for update of d skip locked)
    delete from event_deliveries d using free f
    where d.org_id = f.org_id and d.consumer = f.consumer and d.target = f.target and d.event_key = f.event_key
    returning d.target, d.event_key as "eventKey"`);
}

/** Forgets everything that one target has yet to react to. */
export async function dropDeliveries(tx: Tx, orgId: string, { consumer, target }: Target): Promise<void> {
  await tx.execute(sql`
    delete from event_deliveries where org_id = ${orgId} and consumer = ${consumer} and target = ${target}`);
}

/** Everybody who has something to react to, of all organizations. */
export function listWaitingTargets(
  reader: Reader,
  consumer: string,
): Promise<{ readonly orgId: string; readonly target: string }[]> {
  return reader.rows(sql`
    select distinct org_id as "orgId", target from event_deliveries where consumer = ${consumer} /* all organizations */`);
}
