import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { momentOfText } from '../../../platform/db/moment.sql.ts';
import { fields, row } from '../../../platform/db/row.ts';
import { dayAfterNext, dayBefore } from '../../../platform/moments.ts';
import { type StoredEntity, storedColumns, storedEntity } from '../../entity-rows/index.ts';

const blueprintRow = row(fields('blueprints', 'org_id', 'identifier'));

export function listTimedBlueprints(reader: Reader): Promise<{ orgId: string; identifier: string }[]> {
  return reader.rows(blueprintRow.sql`
    select org_id as "orgId", identifier from blueprints
    where jsonb_path_exists(definition, '$.schema.properties.*.format ? (@ == "timer")')
    order by org_id, key /* all organizations */`);
}

const sweepRow = row(fields('timer_sweeps', 'swept_until'));

/** How far the clock was followed for a blueprint, locked; initially its creation. */
export async function holdSweep(tx: Tx, orgId: string, blueprintKey: number, createdAt: Date): Promise<Date> {
  await tx.execute(sql`
    insert into timer_sweeps (org_id, blueprint_key, swept_until) values (${orgId}, ${blueprintKey}, ${createdAt})
    on conflict (org_id, blueprint_key) do nothing`);
  const row = await tx.first(sweepRow.sql`
    select swept_until as "sweptUntil" from timer_sweeps
    where org_id = ${orgId} and blueprint_key = ${blueprintKey} for update`);
  return row?.sweptUntil ?? createdAt;
}

interface ExpiredTimer {
  readonly blueprintKey: number;
  readonly property: string;
  readonly from: Date;
  readonly until: Date;
}

/** Entities whose timer passed between two moments, except values recorded already. */
export function findDue(
  reader: Reader,
  orgId: string,
  { blueprintKey, property, from, until }: ExpiredTimer,
  limit: number,
): Promise<StoredEntity[]> {
  const text = sql`(e.properties ->> ${property})`;
  const moment = momentOfText(text);
  // compares days first, which decides for most values without parsing them
  return reader.rows(storedEntity.sql`
    select ${storedColumns} from entities e
    where e.org_id = ${orgId} and e.blueprint_key = ${blueprintKey}
      and ${text} collate "C" >= ${dayBefore(from) ?? ''} and ${text} collate "C" < ${dayAfterNext(until) ?? ':'}
      and ${moment} > greatest(${from}::timestamptz, e.created_at) and ${moment} <= ${until}
      and not exists (select 1 from expired_timers x
        where x.org_id = ${orgId} and x.entity_key = e.key and x.property = ${property} and x.value = ${text})
    order by e.key limit ${limit}`);
}

/** Remembers recorded values. */
export async function noteExpired(
  tx: Tx,
  orgId: string,
  { blueprintKey, property, until }: ExpiredTimer,
  entities: readonly StoredEntity[],
): Promise<void> {
  if (entities.length === 0) return;
  const keys = entities.map(({ key }) => key);
  const values = entities.map(({ properties }) => String(properties[property]));
  await tx.execute(sql`
    insert into expired_timers (org_id, entity_key, property, value, blueprint_key, noted_at)
    select ${orgId}, n.key, ${property}, n.value, ${blueprintKey}, ${until}
    from unnest(${keys}::bigint[], ${values}::text[]) as n(key, value)
    on conflict (org_id, entity_key, property) do update set value = excluded.value, noted_at = excluded.noted_at`);
}

/** Stores how far the clock was followed, and drops records from before `forgetBefore`. */
export async function finishSweep(
  tx: Tx,
  orgId: string,
  blueprintKey: number,
  { until, forgetBefore }: { readonly until: Date; readonly forgetBefore: Date },
): Promise<void> {
  await tx.execute(sql`
    update timer_sweeps set swept_until = ${until} where org_id = ${orgId} and blueprint_key = ${blueprintKey}`);
  await tx.execute(sql`
    delete from expired_timers
    where org_id = ${orgId} and blueprint_key = ${blueprintKey} and noted_at < ${forgetBefore}`);
}
