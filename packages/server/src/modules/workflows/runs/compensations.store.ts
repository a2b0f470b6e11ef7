import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { computed, fields, row } from '../../../platform/db/row.ts';

const stepRow = row({
  ...fields('workflow_node_runs', 'id', 'node', 'result'),
  isBegun: computed.boolean,
  isFailed: computed.boolean,
  isTakenOver: computed.boolean,
});

/**
 * The steps that a run carried out itself, last first, with what became of undoing them. A re-run may stand on what it
 * took over where the time for undoing was over.
 */
export function listStepsToCompensate(reader: Reader, orgId: string, runId: string) {
  return reader.rows(stepRow.sql`
    select n.id, n.node, n.result, c.id is not null as "isBegun",
      c.phase = 'ENDED' and c.result is distinct from 'SUCCESS' and c.id is not null as "isFailed",
      exists (
        select 1 from workflow_runs r join workflow_node_runs k on k.org_id = r.org_id and k.run_id = r.id
        where r.org_id = n.org_id and r.rerun_of = n.run_id and k.copied_from = n.id) as "isTakenOver"
    from workflow_node_runs n left join workflow_node_runs c on c.org_id = n.org_id and c.compensates = n.id
    where n.org_id = ${orgId} and n.run_id = ${runId} and n.compensates is null and n.failed_to_compensate is null
      and n.copied_from is null
    order by n.step desc`);
}

const openRow = row({ isOpen: computed.boolean });

export async function hasOpenChildren(reader: Reader, orgId: string, runId: string): Promise<boolean> {
  const found = await reader.first(openRow.sql`
    select exists (
      select 1 from workflow_node_runs n
      join workflow_runs r on r.org_id = n.org_id and r.parent_node_run = n.id
      where n.org_id = ${orgId} and n.run_id = ${runId} and r.status <> 'COMPLETED') as "isOpen"`);
  return found?.isOpen ?? false;
}

const undoableRow = row(fields('workflow_runs', 'id'));

/** Of the runs of a body that a step began and that succeeded, the one that ended last and is not undone yet. */
export async function findUndoable(reader: Reader, orgId: string, nodeRunId: string): Promise<string | undefined> {
  const found = await reader.first(undoableRow.sql`
    select r.id from workflow_runs r
    where r.org_id = ${orgId} and r.parent_node_run = ${nodeRunId} and r.result = 'SUCCESS' and r.body is not null
      and r.compensates is null
      and not exists (select 1 from workflow_runs c where c.org_id = ${orgId} and c.compensates = r.id)
    order by r.completed_at desc, r.item_index desc limit 1`);
  return found?.id;
}

/**
 * Makes room for another attempt at compensations of a run that failed: they keep what they failed to undo, and so do the
 * runs of theirs that failed, with the failed compensations in those.
 */
export async function giveUpPlaces(tx: Tx, orgId: string, runId: string, nodeRunIds: readonly string[]): Promise<void> {
  await tx.execute(sql`
    with recursive failed as (
      select n.id from workflow_node_runs n
      where n.org_id = ${orgId} and n.run_id = ${runId} and n.id = any(${[...nodeRunIds]}::text[])
      union
      select c.id from failed f
      join workflow_runs r on r.org_id = ${orgId} and r.parent_node_run = f.id and r.compensates is not null
      join workflow_node_runs c on c.org_id = r.org_id and c.run_id = r.id and c.compensates is not null
        and c.phase = 'ENDED' and c.result is distinct from 'SUCCESS'),
    undoing as (
      update workflow_runs r set failed_to_compensate = r.compensates, compensates = null from failed f
      where r.org_id = ${orgId} and r.parent_node_run = f.id and r.compensates is not null
        and r.status = 'COMPLETED' and r.result <> 'SUCCESS')
    update workflow_node_runs n set failed_to_compensate = n.compensates, compensates = null from failed f
    where n.org_id = ${orgId} and n.id = f.id`);
}

const attemptRow = row({
  ...fields('workflow_node_runs', 'id', 'type', 'attempt', 'tries', 'call_key'),
  status: computed.number.orNull(),
  isReported: computed.boolean,
});

/** The last attempt to undo a step that another one follows, with what is known of its call. */
export function findFailedAttempt(reader: Reader, orgId: string, compensates: string) {
  return reader.first(attemptRow.sql`
    select n.id, n.type, n.attempt, n.tries, n.call_key as "callKey",
      case when n.raw #>> '{response,status}' ~ '^[1-5][0-9][0-9]$'
        then (n.raw #>> '{response,status}')::int end as status,
      exists (
        select 1 from workflow_run_events e
        where e.org_id = ${orgId} and e.run_id = n.run_id and e.node_run_id = n.id and e.kind = 'report.ended') as "isReported"
    from workflow_node_runs n
    where n.org_id = ${orgId} and n.failed_to_compensate = ${compensates} order by n.created_at desc, n.step desc limit 1`);
}
