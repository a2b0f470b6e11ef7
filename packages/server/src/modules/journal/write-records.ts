import sql, { join } from 'sql-template-tag';
import type { Actor } from '../../platform/actor.ts';
import type { Tx } from '../../platform/db/database.ts';
import { json } from '../../platform/db/json.ts';
import { newId } from '../../platform/ids.ts';
import type { DomainRecord } from '../../platform/unit-of-work.ts';

/** Writes what a unit of work recorded, in one statement, in the transaction that made it true. */
export async function writeRecords(tx: Tx, actor: Actor, now: Date, records: readonly DomainRecord[]): Promise<void> {
  if (records.length === 0) return;
  const rows = records.map(
    (record) => sql`(${actor.orgId}, ${newId('event_')}, ${now}, ${record.event}, ${record.action},
      ${record.resourceType}, ${record.identifier}, ${json(record.context)}, ${actor.id}, ${actor.kind},
      ${actor.origin}, ${actor.datasource}, ${record.message ?? null},
      ${record.before === undefined ? null : json(record.before)},
      ${record.after === undefined ? null : json(record.after)})`,
  );
  await tx.execute(sql`
    insert into journal (org_id, id, at, event, action, resource_type, identifier, context, actor_id, actor_kind,
      origin, datasource, message, before, after)
    values ${join(rows)}`);
}
