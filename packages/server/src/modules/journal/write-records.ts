import sql, { join } from 'sql-template-tag';
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
  const rows = records.map(
    (record) => sql`(${actor.orgId}, ${newEventId(now)}, ${now}, ${record.event}, ${record.action},
      ${record.status ?? 'SUCCESS'}, ${record.resourceType}, ${record.identifier}, ${json(contextOf(actor, record))},
      ${actor.id}, ${actor.kind}, ${actor.origin}, ${actor.datasource}, ${record.message ?? null},
      ${json(record.before)}, ${json(record.after)}, ${json(record.additionalData)})`,
  );
  await tx.execute(sql`
    insert into journal (org_id, id, at, event, action, status, resource_type, identifier, context, actor_id, actor_kind,
      origin, datasource, message, before, after, additional_data)
    values ${join(rows)}`);
}

/** Whoever writes on behalf of a run says so once, with the request. */
function contextOf({ runId }: Actor, { context }: DomainRecord): Readonly<Record<string, string>> {
  return runId === undefined || context['runId'] !== undefined ? context : { ...context, runId };
}
