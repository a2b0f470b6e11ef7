import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { fields, row } from '../../../platform/db/row.ts';

const organization = row(fields('source_syncs', 'org_id'));

export async function listOrganizationsWithSyncs(reader: Reader): Promise<string[]> {
  const rows = await reader.rows(organization.sql`
    select distinct org_id as "orgId" from source_syncs order by org_id /* all organizations */`);
  return rows.map(({ orgId }) => orgId);
}

export interface Deadlines {
  readonly now: Date;
  readonly plans: Date;
  readonly idle: Date;
  readonly undo: Date;
  readonly problems: Date;
}

/** Ends idle imports, and deletes what is older than its deadline. */
export async function deleteOldRows(
  tx: Tx,
  orgId: string,
  { now, plans, idle, undo, problems }: Deadlines,
): Promise<void> {
  await tx.execute(sql`
    update source_syncs set status = 'cancelled', ended_at = ${now}
    where org_id = ${orgId} and mode = 'import' and ended_at is null and touched_at < ${idle}`);
  const ended = sql`select s.key from source_syncs s where s.org_id = ${orgId} and s.ended_at is not null`;
  await tx.execute(sql`delete from source_waiting where org_id = ${orgId} and sync_key in (${ended})`);
  await tx.execute(sql`
    delete from source_changes where org_id = ${orgId} and sync_key in (${ended} and s.ended_at < ${plans})`);
  await tx.execute(sql`
    delete from source_problems where org_id = ${orgId} and sync_key in (${ended} and s.ended_at < ${problems})`);
  await tx.execute(sql`
    update source_items set replaced = null where org_id = ${orgId} and replaced is not null
      and changed_in in (${ended} and s.ended_at < ${undo})`);
  await tx.execute(sql`
    delete from source_syncs d where d.org_id = ${orgId} and d.ended_at < ${problems}
      and (d.source_key is null
        or exists (select from source_syncs n where n.org_id = ${orgId} and n.source_key = d.source_key and n.key > d.key))`);
}
