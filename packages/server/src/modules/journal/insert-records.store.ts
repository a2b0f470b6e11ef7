import sql, { join, type Sql } from 'sql-template-tag';
import type { Actor } from '../../platform/actor.ts';
import type { Tx } from '../../platform/db/database.ts';
import { takesNoChanges } from '../../platform/frozen-organizations.store.ts';
import type { Target } from './delivery.store.ts';

export interface NewRecords {
  readonly actor: Actor;
  readonly now: Date;
  /** A JSON array of the records, each with its `id`. */
  readonly rows: string;
}

export async function insertRecords(tx: Tx, records: NewRecords): Promise<void> {
  await tx.execute(insertion(records));
}

/**
 * Inserts records, and deliveries for the interests that match the non-silent ones. Returns their targets.
 * @throws AppError `service_unavailable` for a frozen organization, so that what is recorded there is not changed either
 */
export async function insertAndNote(
  tx: Tx,
  records: NewRecords,
  silent: readonly string[],
  interests: readonly Sql[],
): Promise<Target[]> {
  const targets = await tx.rows<{ consumer: string | null; target: string | null }>(sql`
    with added as (${insertion(records)}
      returning org_id, key, id, event, resource_type, context, before, after),
    written as (select * from added where id <> all(${silent}::text[])),
    noted as (
      insert into event_deliveries (org_id, consumer, target, event_key)
      select ${records.actor.orgId}, i.consumer, i.target, i.key
      from (${join([...interests], ' union all ')}) i
      returning consumer, target)
    select distinct consumer, target from noted
    union all select null, null where not exists (select from added)`);
  return targets.map(({ consumer, target }) => {
    if (consumer === null || target === null) {
      throw takesNoChanges();
    }
    return { consumer, target };
  });
}

/** Inserts nothing for a frozen organization. The same SQL text for any number of records, so that the statement can be prepared once. */
function insertion({ actor, now, rows }: NewRecords): Sql {
  return sql`
    insert into journal (org_id, id, at, event, action, status, resource_type, identifier, context, actor_id, actor_kind,
      origin, datasource, message, before, after, additional_data)
    select ${actor.orgId}, r.id, ${now}::timestamptz, r.event, r.action, r.status, r."resourceType", r.identifier,
      r.context, ${actor.id}, ${actor.kind}, ${actor.origin}, ${actor.datasource}, r.message, r.before, r.after,
      r."additionalData"
    from jsonb_to_recordset(${rows}::jsonb) as r(id text, event text, action text, status text,
      "resourceType" text, identifier text, context jsonb, message text, before jsonb, after jsonb,
      "additionalData" jsonb)
    where not exists (select from organizations where id = ${actor.orgId} and frozen_at is not null)`;
}
