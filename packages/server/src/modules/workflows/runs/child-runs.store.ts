import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { computed, countRow, field, fields, type RowOf, row } from '../../../platform/db/row.ts';

const childRow = row({
  ...fields('workflow_runs', 'id', 'status', 'result', 'message', 'rev', 'completed_at'),
  itemIndex: field('workflow_runs', 'item_index').notNull(),
});
/** A child run as its parent's step looks at it. */
export type StoredChild = RowOf<typeof childRow>;

/** The children of a step in their order. */
export function listChildren(reader: Reader, orgId: string, nodeRunId: string): Promise<readonly StoredChild[]> {
  return reader.rows(childRow.sql`
    select r.id, r.item_index as "itemIndex", r.status, r.result, r.message, r.rev, r.completed_at as "completedAt"
    from workflow_runs r where r.org_id = ${orgId} and r.parent_node_run = ${nodeRunId} order by r.item_index`);
}

const outputRow = row({
  itemIndex: field('workflow_runs', 'item_index').notNull(),
  output: computed.json.as<unknown>().orNull(),
});

/** What the last step of each ended child gave, by its place. */
export async function readChildOutputs(
  reader: Reader,
  orgId: string,
  nodeRunId: string,
): Promise<ReadonlyMap<number, unknown>> {
  const rows = await reader.rows(outputRow.sql`
    select r.item_index as "itemIndex", coalesce(n.output, n.raw) as output
    from workflow_runs r left join workflow_node_runs n on n.org_id = r.org_id and n.id = r.at_node_run
    where r.org_id = ${orgId} and r.parent_node_run = ${nodeRunId} and r.status = 'COMPLETED'`);
  return new Map(rows.map(({ itemIndex, output }) => [itemIndex, output]));
}

const idRow = row(fields('workflow_runs', 'id'));

export async function listOpenChildren(reader: Reader, orgId: string, nodeRunId: string): Promise<string[]> {
  const rows = await reader.rows(idRow.sql`
    select r.id from workflow_runs r
    where r.org_id = ${orgId} and r.parent_node_run = ${nodeRunId} and r.status <> 'COMPLETED' order by r.item_index`);
  return rows.map(({ id }) => id);
}

const forsakenRow = row({
  orgId: field('workflow_runs', 'org_id'),
  nodeRunId: field('workflow_runs', 'parent_node_run').notNull(),
});
type ForsakenStep = RowOf<typeof forsakenRow>;

/** Ended steps, after the last that was read, with children that nobody touched since a moment and that have to be stopped. */
export function listForsakenSteps(reader: Reader, before: Date, last: ForsakenStep | undefined, limit: number) {
  return reader.rows(forsakenRow.sql`
    select distinct r.org_id as "orgId", r.parent_node_run as "nodeRunId" from workflow_runs r
    join workflow_node_runs n on n.org_id = r.org_id and n.id = r.parent_node_run
    join workflow_runs p on p.org_id = r.org_id and p.id = r.parent_run
    where r.status <> 'COMPLETED' and r.updated_at < ${before} and n.phase = 'ENDED'
      and (p.cancel = 'force' or r.cancel is null and r.ends_as is null and r.compensates is null)
      and (r.org_id, r.parent_node_run) > (${last?.orgId ?? ''}, ${last?.nodeRunId ?? ''})
    order by 1, 2 limit ${limit} /* all organizations */`);
}

/** Serializes whoever begins children below one root. */
export async function lockRoot(tx: Tx, orgId: string, rootId: string): Promise<void> {
  await tx.execute(sql`select id from workflow_runs where org_id = ${orgId} and id = ${rootId} for no key update`);
}

export async function countRunsOfRoot(reader: Reader, orgId: string, rootId: string): Promise<number> {
  const counted = await reader.first(countRow.sql`
    select count(*)::int as count from workflow_runs r where r.org_id = ${orgId} and r.root_id = ${rootId}`);
  return counted?.count ?? 0;
}

const abandonedRow = row({ isAbandoned: computed.boolean, isForced: computed.boolean });

/**
 * Whether a run above waits for it no more: the step that began it has ended, or its run is being cancelled. What undoes
 * something goes on all the same, unless a run above was cancelled by force.
 */
export async function findAbandonment(
  reader: Reader,
  orgId: string,
  runId: string,
): Promise<{ readonly isAbandoned: boolean; readonly isForced: boolean }> {
  const found = await reader.first(abandonedRow.sql`
    with recursive above as (
      select r.parent_run, r.parent_node_run, r.ends_as is not null as undoes from workflow_runs r
      where r.org_id = ${orgId} and r.id = ${runId}
      union all
      select p.parent_run, p.parent_node_run, a.undoes or p.ends_as is not null from above a
      join workflow_runs p on p.org_id = ${orgId} and p.id = a.parent_run)
    select coalesce(bool_or(p.cancel = 'force' or not a.undoes and (n.phase is distinct from 'WAIT_CHILD'
        or p.cancel is not null and n.compensates is null)), false) as "isAbandoned",
      coalesce(bool_or(p.cancel = 'force'), false) as "isForced"
    from above a
    left join workflow_node_runs n on n.org_id = ${orgId} and n.id = a.parent_node_run
    left join workflow_runs p on p.org_id = ${orgId} and p.id = a.parent_run
    where a.parent_run is not null`);
  return found ?? { isAbandoned: false, isForced: false };
}
