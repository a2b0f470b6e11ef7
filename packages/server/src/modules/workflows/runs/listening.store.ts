import sql, { empty } from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { field, fields, type RowOf, row } from '../../../platform/db/row.ts';

const heldRow = row({ ...fields('workflows', 'key'), version: field('workflows', 'current_version') });

/**
 * The current versions of these workflows, held unchanged for the transaction; those that are deleted are left out, and
 * with `passesOver` those that somebody else is changing.
 */
export async function holdVersions(
  tx: Tx,
  orgId: string,
  keys: readonly number[],
  { passesOver = false }: { readonly passesOver?: boolean } = {},
): Promise<ReadonlyMap<number, number>> {
  const locked = passesOver ? sql`skip locked` : empty;
  const rows = await tx.rows(heldRow.sql`
    select w.key, w.current_version as version from workflows w
    where w.org_id = ${orgId} and w.key = any(${[...keys]}::bigint[]) and w.deleted_at is null order by w.key
    for share ${locked}`);
  return new Map(rows.map(({ key, version }) => [key, version]));
}

const dueRow = row({
  ...fields('workflow_triggers', 'org_id', 'workflow_key', 'node'),
  cron: field('workflow_triggers', 'cron').notNull(),
  nextRunAt: field('workflow_triggers', 'next_run_at').notNull(),
});
type DueTriggerPlace = Pick<RowOf<typeof dueRow>, 'orgId' | 'workflowKey' | 'node' | 'nextRunAt'>;
export type DueTrigger = Awaited<ReturnType<typeof listDueTriggers>>[number];

/** The longest due first. */
export function listDueTriggers(reader: Reader, now: Date, limit: number, after?: DueTriggerPlace) {
  const rest = after
    ? sql`(t.next_run_at, t.org_id, t.workflow_key, t.node) > (${after.nextRunAt}, ${after.orgId},
        ${after.workflowKey}::bigint, ${after.node})`
    : sql`true`;
  return reader.rows(dueRow.sql`
    select t.org_id as "orgId", t.workflow_key as "workflowKey", t.node, t.cron, t.next_run_at as "nextRunAt"
    from workflow_triggers t
    where t.next_run_at <= ${now} and ${rest} and t.cron is not null and t.published and not exists (
      select 1 from workflow_pauses p
      where p.org_id = t.org_id and (p.workflow_key = 0 or p.workflow_key = t.workflow_key and p.node in ('', t.node)))
    order by t.next_run_at, t.org_id, t.workflow_key, t.node limit ${limit} /* all organizations */`);
}

/** Moves a schedule to its next tick; false if another replica has done so or is at it, or it changed. */
export async function moveSchedule(
  tx: Tx,
  { orgId, workflowKey, node, cron, nextRunAt }: DueTrigger,
  next: Date | undefined,
): Promise<boolean> {
  const moved = await tx.execute(sql`
    with due as (
      select t.node from workflow_triggers t
      where t.org_id = ${orgId} and t.workflow_key = ${workflowKey} and t.node = ${node} and t.cron = ${cron}
        and t.next_run_at = ${nextRunAt} and t.published for update skip locked)
    update workflow_triggers t set next_run_at = ${next ?? null} from due
    where t.org_id = ${orgId} and t.workflow_key = ${workflowKey} and t.node = due.node`);
  return moved > 0;
}
