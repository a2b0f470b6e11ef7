import type { Sql } from 'sql-template-tag';
import type { Actor } from '../../platform/actor.ts';
import type { Tx } from '../../platform/db/database.ts';
import { toJsonText } from '../../platform/db/json.ts';
import type { DomainRecord, WriteRecords } from '../../platform/unit-of-work.ts';
import type { Target } from './delivery.store.ts';
import { newEventId } from './event-id.ts';
import { insertAndNote, insertRecords } from './insert-records.store.ts';

/** A record as the journal takes it: what happened, or what was tried and failed. */
export interface Entry extends DomainRecord {
  readonly status?: 'SUCCESS' | 'FAILURE';
  readonly additionalData?: Readonly<Record<string, unknown>>;
}

/**
 * Who of an organization reacts to which records: a select of `consumer`, `target` and `key` from `written w`, which
 * holds the `key`, `event`, `resource_type`, `context`, `before` and `after` of the records.
 */
export type Interest = (orgId: string) => Sql;

export interface RecordWriterPorts {
  readonly interests: readonly Interest[];
  /** Called in the transaction with what it wrote, so that whoever looks on can be told once it is committed. */
  readonly tell: (tx: Tx, orgId: string, records: readonly DomainRecord[]) => void;
  /** Called in the transaction with everybody who has something to react to, if there is anybody. */
  readonly wake: (tx: Tx, orgId: string, targets: readonly Target[]) => Promise<void>;
}

/**
 * Writes what a unit of work recorded and notes who reacts to it, in one statement, in the transaction that made it
 * true: nobody reads the journal to find what is new, so no order of commits can hide a record (decision 0034).
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
    if (targets.length > 0) await wake(tx, actor.orgId, targets);
  };
}

/** Writes records that nobody reacts to. */
export async function writeRecords(tx: Tx, actor: Actor, now: Date, records: readonly Entry[]): Promise<void> {
  if (records.length === 0) return;
  const ids = records.map(() => newEventId(now));
  await insertRecords(tx, { actor, now, rows: rowsText(actor, records, ids) });
}

/** A record as a row in JSON; what was written as text by whoever recorded it is not written again. */
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

/** Whoever writes on behalf of a run or a webhook says so once, with the request. */
function toContext({ runId, webhook }: Actor, { context }: DomainRecord): Readonly<Record<string, string>> {
  if (runId === undefined && webhook === undefined) return context;
  return {
    ...(runId === undefined ? {} : { runId }),
    ...(webhook ? { webhookId: webhook.identifier, webhookEventId: webhook.deliveryId } : {}),
    ...context,
  };
}
