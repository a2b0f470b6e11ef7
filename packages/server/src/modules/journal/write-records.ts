import sql from 'sql-template-tag';
import type { Actor } from '../../platform/actor.ts';
import type { Tx } from '../../platform/db/database.ts';
import { json } from '../../platform/db/json.ts';
import type { DomainRecord } from '../../platform/unit-of-work.ts';
import { newEventId } from './event-id.ts';

/** A record as the journal takes it: what happened, or what was tried and failed. */
export interface Entry extends DomainRecord {
  readonly status?: 'SUCCESS' | 'FAILURE';
  readonly additionalData?: Readonly<Record<string, unknown>>;
}

/** Writes what a unit of work recorded, in one statement, in the transaction that made it true. */
export async function writeRecords(tx: Tx, actor: Actor, now: Date, records: readonly Entry[]): Promise<void> {
  if (records.length === 0) return;
  // the same text for any number of records, so that it is prepared
  const rows = records.map((record) => ({
    id: newEventId(now),
    event: record.event,
    action: record.action,
    status: record.status ?? 'SUCCESS',
    resourceType: record.resourceType,
    identifier: record.identifier,
    context: contextOf(actor, record),
    message: record.message,
    before: record.before,
    after: record.after,
    additionalData: record.additionalData,
  }));
  await tx.execute(sql`
    insert into journal (org_id, id, at, event, action, status, resource_type, identifier, context, actor_id, actor_kind,
      origin, datasource, message, before, after, additional_data)
    select ${actor.orgId}, r.id, ${now}::timestamptz, r.event, r.action, r.status, r."resourceType", r.identifier,
      r.context, ${actor.id}, ${actor.kind}, ${actor.origin}, ${actor.datasource}, r.message, r.before, r.after,
      r."additionalData"
    from jsonb_to_recordset(${json(rows)}::jsonb) as r(id text, event text, action text, status text,
      "resourceType" text, identifier text, context jsonb, message text, before jsonb, after jsonb,
      "additionalData" jsonb)`);
}

/** Whoever writes on behalf of a run or a webhook says so once, with the request. */
function contextOf({ runId, webhook }: Actor, { context }: DomainRecord): Readonly<Record<string, string>> {
  if (runId === undefined && webhook === undefined) return context;
  return {
    ...(runId === undefined ? {} : { runId }),
    ...(webhook ? { webhookId: webhook.identifier, webhookEventId: webhook.deliveryId } : {}),
    ...context,
  };
}
