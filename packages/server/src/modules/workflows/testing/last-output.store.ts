import type { Reader } from '../../../platform/db/database.ts';
import { field, row } from '../../../platform/db/row.ts';

const outputRow = row({
  raw: field('workflow_node_runs', 'raw').as<NonNullable<unknown>>(),
  output: field('workflow_node_runs', 'output').as<NonNullable<unknown>>(),
});

/** What a step of a workflow gave when it last succeeded. */
export async function findLastOutput(
  reader: Reader,
  orgId: string,
  { workflowKey, node, type }: { readonly workflowKey: number; readonly node: string; readonly type: string },
): Promise<{ readonly output: unknown } | undefined> {
  const found = await reader.first(outputRow.sql`
    select n.raw, n.output from workflow_runs r
    join workflow_node_runs n on n.org_id = r.org_id and n.run_id = r.id
    where r.org_id = ${orgId} and r.workflow_key = ${workflowKey} and n.node = ${node} and n.type = ${type}
      and n.result = 'SUCCESS' and n.phase = 'ENDED'
    order by r.key desc, n.step desc limit 1`);
  return found && { output: found.output ?? found.raw };
}
