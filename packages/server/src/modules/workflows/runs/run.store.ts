import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import { computed, field, fields, row } from '../../../platform/db/row.ts';
import type { StoredWorkflowRun } from './workflow-run.ts';

const columns = raw(`r.id, r.workflow_key as "workflowKey", r.workflow_identifier as "workflowIdentifier", r.version,
  r.status, r.result, r.status_label as "statusLabel", r.message,
  r.message_before as "messageBefore", r.at_node_run as "atNodeRun", r.rev,
  r.trigger_node as "triggerNode", r.trigger, r.trigger_kind as "triggerKind", r.blueprint, r.entity, r.depth,
  r.root_id as "rootId", r.caused_by as "causedBy", r.rerun_of as "rerunOf", r.parent_run as "parentRun",
  r.parent_node_run as "parentNodeRun", r.item_index as "itemIndex", r.body, r.nesting, r.cancel,
  r.ends_as as "endsAs", coalesce(r.compensates, r.failed_to_compensate) as compensates, r.repeated_by as "repeatedBy",
  r.cancelled_by as "cancelledBy", r.steps, r.bytes, r.authority, r.text_authors as "textAuthors",
  r.requested_with as "requestedWith", r.idempotency_key as "idempotencyKey",
  r.idempotency_hash as "idempotencyHash", r.created_by as "createdBy", r.created_by_kind as "createdByKind",
  r.impersonated_by as "impersonatedBy", r.deadline_at as "deadlineAt", r.created_at as "createdAt",
  r.updated_at as "updatedAt", r.completed_at as "completedAt"`);

const runFields = {
  ...fields(
    'workflow_runs',
    'id',
    'workflow_key',
    'workflow_identifier',
    'version',
    'status',
    'result',
    'message',
    'at_node_run',
    'rev',
    'trigger_node',
    'trigger_kind',
    'blueprint',
    'entity',
    'depth',
    'root_id',
    'caused_by',
    'rerun_of',
    'parent_run',
    'parent_node_run',
    'item_index',
    'body',
    'nesting',
    'cancel',
    'ends_as',
    'repeated_by',
    'cancelled_by',
    'steps',
    'bytes',
    'text_authors',
    'idempotency_key',
    'idempotency_hash',
    'created_by',
    'impersonated_by',
    'deadline_at',
    'created_at',
    'updated_at',
    'completed_at',
  ),
  compensates: computed.text.orNull(),
  statusLabel: field('workflow_runs', 'status_label').as<NonNullable<StoredWorkflowRun['statusLabel']>>(),
  messageBefore: field('workflow_runs', 'message_before').as<NonNullable<StoredWorkflowRun['messageBefore']>>(),
  trigger: field('workflow_runs', 'trigger').as<StoredWorkflowRun['trigger']>(),
  authority: field('workflow_runs', 'authority').as<StoredWorkflowRun['authority']>(),
  requestedWith: field('workflow_runs', 'requested_with').as<NonNullable<StoredWorkflowRun['requestedWith']>>(),
  createdByKind: field('workflow_runs', 'created_by_kind').as<StoredWorkflowRun['createdByKind']>(),
};
const runRow = row(runFields);
const listedRow = row({ ...runFields, key: field('workflow_runs', 'key') });

export type ListedRun = StoredWorkflowRun & { readonly key: number };

export function findWorkflowRun(reader: Reader, orgId: string, id: string): Promise<StoredWorkflowRun | undefined> {
  return reader.first(runRow.sql`select ${columns} from workflow_runs r where r.org_id = ${orgId} and r.id = ${id}`);
}

export function findRunByKey(
  reader: Reader,
  orgId: string,
  asked: { readonly workflowKey: number; readonly by: string; readonly idempotencyKey: string },
): Promise<StoredWorkflowRun | undefined> {
  return reader.first(runRow.sql`
    select ${columns} from workflow_runs r
    where r.org_id = ${orgId} and r.workflow_key = ${asked.workflowKey} and r.created_by = ${asked.by}
      and r.idempotency_key = ${asked.idempotencyKey}`);
}

/** Runs that match all conditions on `workflow_runs r`, newest first. */
export function selectWorkflowRuns(
  reader: Reader,
  orgId: string,
  conditions: readonly Sql[],
  limit: number,
): Promise<readonly ListedRun[]> {
  return reader.rows(listedRow.sql`
    select ${columns}, r.key from workflow_runs r
    where ${join([sql`r.org_id = ${orgId}`, ...conditions], ' and ')} order by r.key desc limit ${limit}`);
}

const idRow = row(fields('workflow_runs', 'id'));

/** Inserts a run, and gives nothing if one for the same event, or with the same key, is there. */
export function insertedRun(orgId: string, run: StoredWorkflowRun, eventKey: number | null): Sql {
  return sql`
      insert into workflow_runs (org_id, id, workflow_key, workflow_identifier, version, status, result, status_label,
        message, message_before, at_node_run, rev, trigger_node, trigger, event_key, depth, root_id, caused_by, parent_run,
        parent_node_run, item_index, body, nesting, steps, bytes, authority, text_authors,
        requested_with, idempotency_key, idempotency_hash, created_by, created_by_kind, impersonated_by, deadline_at,
        created_at, updated_at, completed_at, trigger_kind, blueprint, entity, ends_as, compensates)
      values (${orgId}, ${run.id}, ${run.workflowKey}, ${run.workflowIdentifier}, ${run.version}, ${run.status},
        ${run.result}, ${run.statusLabel && json(run.statusLabel)}, ${run.message},
        ${run.messageBefore && json(run.messageBefore)}, ${run.atNodeRun}, ${run.rev}, ${run.triggerNode},
        ${json(run.trigger)}, ${eventKey}, ${run.depth}, ${run.rootId}, ${run.causedBy}, ${run.parentRun},
        ${run.parentNodeRun}, ${run.itemIndex}, ${run.body && [...run.body]}, ${run.nesting}, ${run.steps}, ${run.bytes},
        ${json(run.authority)}, ${[...run.textAuthors]}, ${run.requestedWith && json(run.requestedWith)},
        ${run.idempotencyKey}, ${run.idempotencyHash}, ${run.createdBy}, ${run.createdByKind}, ${run.impersonatedBy},
        ${run.deadlineAt}, ${run.createdAt}, ${run.updatedAt}, ${run.completedAt}, ${run.triggerKind}, ${run.blueprint},
        ${run.entity}, ${run.endsAs}, ${run.compensates})
      on conflict do nothing returning org_id, id, rev, created_at`;
}

/** Stores a run at its beginning with its first event; false if one for the same event, or with the same key, is there. */
export async function insertWorkflowRun(
  tx: Tx,
  orgId: string,
  run: StoredWorkflowRun,
  eventKey: number | null,
  firstEvent: unknown,
): Promise<boolean> {
  const inserted = await tx.first(idRow.sql`
    with stored as (${insertedRun(orgId, run, eventKey)}),
    noted as (
      insert into workflow_run_events (org_id, run_id, seq, kind, node_run_id, data, at)
      select s.org_id, s.id, s.rev, 'run.started', null, ${json(firstEvent)}::jsonb, s.created_at from stored s)
    select id from stored`);
  return inserted !== undefined;
}

const rootRow = row(fields('workflow_runs', 'id', 'root_id'));

/** The runs with which the chains of these began. */
export function findRoots(reader: Reader, orgId: string, ids: readonly string[]) {
  return reader.rows(rootRow.sql`
    select r.id, r.root_id as "rootId" from workflow_runs r where r.org_id = ${orgId} and r.id = any(${[...ids]}::text[])`);
}

const startsRow = row({
  workflowKey: computed.number,
  node: computed.text,
  starts: computed.number,
  stopped: computed.number,
});

/** How many runs these workflows' triggers have started since a moment, and how many of them were stopped at once. */
export function countStarts(reader: Reader, orgId: string, workflowKeys: readonly number[], since: Date) {
  return reader.rows(startsRow.sql`
    select r.workflow_key as "workflowKey", r.trigger_node as node, count(*)::int as starts,
      (count(*) filter (where r.steps = 0 and r.result = 'FAILED'))::int as stopped
    from workflow_runs r
    where r.org_id = ${orgId} and r.workflow_key = any(${[...workflowKeys]}::bigint[]) and r.created_at >= ${since}
    group by r.workflow_key, r.trigger_node`);
}

const orgRow = row(fields('workflow_runs', 'org_id'));

export async function listOrganizationsWithEnded(reader: Reader, before: Date): Promise<string[]> {
  const rows = await reader.rows(orgRow.sql`
    select distinct org_id as "orgId" from workflow_runs where completed_at < ${before} /* all organizations */`);
  return rows.map(({ orgId }) => orgId);
}

/** Deletes ended runs with everything of theirs, oldest first, and returns how many. */
export async function deleteWorkflowRunsBefore(tx: Tx, orgId: string, before: Date, limit: number): Promise<number> {
  const old = await tx.rows(idRow.sql`
    select id from workflow_runs where org_id = ${orgId} and completed_at < ${before} order by completed_at limit ${limit}`);
  const ids = old.map(({ id }) => id);
  if (ids.length === 0) return 0;
  const ofNodes = sql`node_run_id in (
    select n.id from workflow_node_runs n where n.org_id = ${orgId} and n.run_id = any(${ids}::text[]))`;
  await tx.execute(sql`delete from workflow_responses where org_id = ${orgId} and ${ofNodes}`);
  await tx.execute(sql`delete from workflow_node_run_logs where org_id = ${orgId} and ${ofNodes}`);
  await tx.execute(sql`delete from workflow_run_events where org_id = ${orgId} and run_id = any(${ids}::text[])`);
  await tx.execute(sql`delete from workflow_node_runs where org_id = ${orgId} and run_id = any(${ids}::text[])`);
  return tx.execute(sql`delete from workflow_runs where org_id = ${orgId} and id = any(${ids}::text[])`);
}
