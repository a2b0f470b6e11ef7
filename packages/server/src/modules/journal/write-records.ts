import type { Sql } from 'sql-template-tag';
import type { Actor } from '../../platform/actor.ts';
import type { Tx } from '../../platform/db/database.ts';
import { toJsonText } from '../../platform/db/json.ts';
import type { DomainRecord, WriteRecords } from '../../platform/unit-of-work.ts';
import type { Target } from './delivery.store.ts';
import { newEventId } from './event-id.ts';
import { insertAndNote, insertRecords } from './insert-records.store.ts';

export interface Entry extends DomainRecord {
  readonly status?: 'SUCCESS' | 'FAILURE';
  readonly additionalData?: Readonly<Record<string, unknown>>;
}

/**
 * Selects which targets react to which records: columns `consumer`, `target` and `key` from `written w`, which has
 * `key`, `event`, `resource_type`, `context`, `before` and `after` of the new records.
 */
export type Interest = (orgId: string) => Sql;

export interface RecordWriterPorts {
  readonly interests: readonly Interest[];
  /** Called in the transaction with the records, to notify live readers after the commit. */
  readonly tell: (tx: Tx, orgId: string, records: readonly DomainRecord[]) => void;
  /** Called in the transaction with the targets of the records, if there are any. */
  readonly wake: readonly ((tx: Tx, orgId: string, targets: readonly Target[]) => Promise<void>)[];
}

/**
 * Writes the records of a unit of work and the deliveries to those who react, in one statement within its transaction.
 * Reactions never search the journal for new records, so no order of commits can hide one (decision 0034).
 */
export function createRecordWriter({ interests, tell, wake }: RecordWriterPorts): WriteRecords {
  return async (tx, actor, now, records) => {
    if (records.length === 0) return;
    const ids = records.map(() => newEventId(now));
    const targets = await insertAndNote(
      tx,
      { actor, now, rows: rowsText(actor, records, ids) },
      ids.filter((_id, index) => records[index]?.isSilent === true),
      interests.map((interest) => interest(actor.orgId)),
    );
    tell(tx, actor.orgId, records);
    if (targets.length > 0) for (const consumer of wake) await consumer(tx, actor.orgId, targets);
  };
}

/** Writes records without deliveries. */
export async function writeRecords(tx: Tx, actor: Actor, now: Date, records: readonly Entry[]): Promise<void> {
  if (records.length === 0) return;
  const ids = records.map(() => newEventId(now));
  await insertRecords(tx, { actor, now, rows: rowsText(actor, records, ids) });
}

/** Serializes a record as a row in JSON; values recorded as JSON text are inserted as they are. */
function rowText(actor: Actor, entry: Entry, id: string): string {
  const record = actor.opened?.mask(entry) ?? entry;
  const head = JSON.stringify({
    id,
    event: record.event,
    action: record.action,
    status: record.status ?? 'SUCCESS',
    resourceType: record.resourceType,
    identifier: record.identifier,
    context: toContext(actor, record),
    message: record.message,
    additionalData: record.additionalData,
  });
  const before = record.before === undefined ? '' : `,"before":${toJsonText(record.before)}`;
  const after = record.after === undefined ? '' : `,"after":${toJsonText(record.after)}`;
  return `${head.slice(0, -1)}${before}${after}}`;
}

function rowsText(actor: Actor, records: readonly Entry[], ids: readonly string[]): string {
  return `[${records.map((record, index) => rowText(actor, record, ids[index] as string)).join(',')}]`;
}

/** Adds the run or webhook of the request to the context. */
function toContext({ runId, webhook }: Actor, { context }: DomainRecord): Readonly<Record<string, string>> {
  if (runId === undefined && webhook === undefined) return context;
  return {
    ...(runId === undefined ? {} : { runId }),
    ...(webhook ? { webhookId: webhook.identifier, webhookEventId: webhook.deliveryId } : {}),
    ...context,
  };
}
