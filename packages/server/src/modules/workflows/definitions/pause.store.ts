import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { field, fields, row } from '../../../platform/db/row.ts';

/** What is paused: a trigger; without `node` all of its workflow; without `workflowKey` all of the organization. */
export interface PausePlace {
  readonly workflowKey?: number | undefined;
  readonly node?: string | undefined;
}

export interface StoredPause {
  /** 0 of all workflows. */
  readonly workflowKey: number;
  /** Empty for all triggers. */
  readonly node: string;
  readonly reason: string | null;
  readonly pausedAt: Date;
  readonly pausedBy: string;
}

const pauseRow = row(fields('workflow_pauses', 'workflow_key', 'node', 'reason', 'paused_at', 'paused_by'));

const keyOf = ({ workflowKey = 0, node = '' }: PausePlace) => ({ workflowKey, node });

/** Stores a pause; false if there is one at that place. */
export async function insertPause(
  tx: Tx,
  orgId: string,
  place: PausePlace,
  pause: Pick<StoredPause, 'reason' | 'pausedAt' | 'pausedBy'>,
): Promise<boolean> {
  const { workflowKey, node } = keyOf(place);
  const inserted = await tx.execute(sql`
    insert into workflow_pauses (org_id, workflow_key, node, reason, paused_at, paused_by)
    values (${orgId}, ${workflowKey}, ${node}, ${pause.reason}, ${pause.pausedAt}, ${pause.pausedBy})
    on conflict (org_id, workflow_key, node) do nothing`);
  return inserted > 0;
}

/** Ends the pause at a place, and of a workflow those of its triggers too; false if there is none. */
export async function deletePauses(tx: Tx, orgId: string, place: PausePlace): Promise<boolean> {
  const { workflowKey, node } = keyOf(place);
  const ended = await tx.execute(sql`
    delete from workflow_pauses
    where org_id = ${orgId} and workflow_key = ${workflowKey} and (${node === ''} or node = ${node})`);
  return ended > 0;
}

/** Pauses of these workflows and of the organization; of all workflows where none are named. */
export function listPauses(reader: Reader, orgId: string, keys?: readonly number[]): Promise<readonly StoredPause[]> {
  return reader.rows(pauseRow.sql`
    select p.workflow_key as "workflowKey", p.node, p.reason, p.paused_at as "pausedAt", p.paused_by as "pausedBy"
    from workflow_pauses p
    where p.org_id = ${orgId} and (${keys === undefined} or p.workflow_key = any(${[0, ...(keys ?? [])]}::bigint[]))
    order by p.workflow_key, p.node`);
}

/** The widest pause by which a trigger starts nothing. */
export async function findPause(
  reader: Reader,
  orgId: string,
  workflowKey: number,
  node: string,
): Promise<StoredPause | undefined> {
  return widestPause(await listPauses(reader, orgId, [workflowKey]), workflowKey, node);
}

export function widestPause(
  pauses: readonly StoredPause[],
  workflowKey: number,
  node: string,
): StoredPause | undefined {
  const fits = pauses.filter(
    (each) => each.workflowKey === 0 || (each.workflowKey === workflowKey && ['', node].includes(each.node)),
  );
  return fits.sort((left, right) => width(right) - width(left))[0];
}

function width({ workflowKey, node }: StoredPause): number {
  return workflowKey === 0 ? 2 : node === '' ? 1 : 0;
}

const lockedRow = row(fields('workflows', 'key'));

/** Locks all workflows, so that no run is being started by one meanwhile. */
export async function lockAllWorkflows(tx: Tx, orgId: string): Promise<void> {
  await tx.rows(lockedRow.sql`
    select w.key from workflows w
    where w.org_id = ${orgId} and w.deleted_at is null order by w.key for no key update`);
}

const scheduleRow = row({
  ...fields('workflow_triggers', 'workflow_key', 'node'),
  cron: field('workflow_triggers', 'cron').notNull(),
});

/** Published schedules: of a workflow, or of all. */
export function listSchedules(reader: Reader, orgId: string, workflowKey: number | undefined) {
  return reader.rows(scheduleRow.sql`
    select t.workflow_key as "workflowKey", t.node, t.cron from workflow_triggers t
    where t.org_id = ${orgId} and t.cron is not null and t.published
      and (${workflowKey === undefined} or t.workflow_key = ${workflowKey ?? 0})`);
}

export async function setNextTick(
  tx: Tx,
  orgId: string,
  { workflowKey, node }: { readonly workflowKey: number; readonly node: string },
  next: Date | null,
): Promise<void> {
  await tx.execute(sql`
    update workflow_triggers set next_run_at = ${next}
    where org_id = ${orgId} and workflow_key = ${workflowKey} and node = ${node}`);
}

const stateRow = row({
  ...fields('workflow_triggers', 'workflow_key', 'node', 'kind', 'published', 'next_run_at'),
});

/** The triggers of these workflows' current versions. */
export function listTriggerRows(reader: Reader, orgId: string, keys: readonly number[]) {
  return reader.rows(stateRow.sql`
    select t.workflow_key as "workflowKey", t.node, t.kind, t.published, t.next_run_at as "nextRunAt"
    from workflow_triggers t
    where t.org_id = ${orgId} and t.workflow_key = any(${[...keys]}::bigint[]) order by t.workflow_key, t.node`);
}
