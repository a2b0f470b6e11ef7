import type { Reader } from '../../../platform/db/database.ts';
import { computed, fields, row } from '../../../platform/db/row.ts';

const stepRow = row({
  ...fields('workflow_node_runs', 'id', 'node', 'result'),
  isBegun: computed.boolean,
  isFailed: computed.boolean,
});

/** The steps that a run carried out itself, last first, with what became of undoing them. */
export function listStepsToCompensate(reader: Reader, orgId: string, runId: string) {
  return reader.rows(stepRow.sql`
    select n.id, n.node, n.result, c.id is not null as "isBegun",
      c.phase = 'ENDED' and c.result is distinct from 'SUCCESS' and c.id is not null as "isFailed"
    from workflow_node_runs n left join workflow_node_runs c on c.org_id = n.org_id and c.compensates = n.id
    where n.org_id = ${orgId} and n.run_id = ${runId} and n.compensates is null and n.copied_from is null
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
      and not exists (select 1 from workflow_runs c where c.org_id = r.org_id and c.compensates = r.id)
    order by r.completed_at desc, r.item_index desc limit 1`);
  return found?.id;
}
