import sql from 'sql-template-tag';
import type { Tx } from '../../../platform/db/database.ts';

/** What a node run waits for in this organization. */
export interface WrittenWait {
  readonly nodeRunId: string;
  readonly actionRun?: string;
  readonly event?: string;
  readonly blueprint?: string;
  readonly property?: string | null;
  readonly at: Date;
}

export async function insertWait(
  tx: Tx,
  orgId: string,
  { nodeRunId, actionRun, event, blueprint, property, at }: WrittenWait,
): Promise<void> {
  await tx.execute(sql`
    insert into workflow_waits (org_id, node_run_id, action_run, event, blueprint, property, created_at)
    values (${orgId}, ${nodeRunId}, ${actionRun ?? null}, ${event ?? null}, ${blueprint ?? null}, ${property ?? null},
      ${at})`);
}

export async function deleteWaits(tx: Tx, orgId: string, nodeRunIds: readonly string[]): Promise<void> {
  await tx.execute(sql`
    delete from workflow_waits where org_id = ${orgId} and node_run_id = any(${[...nodeRunIds]}::text[])`);
}

/** Deletes waits that are over: of node runs that have ended, or are gone. */
export async function deleteEndedWaits(tx: Tx, limit: number): Promise<number> {
  return tx.execute(sql`
    delete from workflow_waits w where (w.org_id, w.node_run_id) in (
      select e.org_id, e.node_run_id from workflow_waits e
      where not exists (
        select 1 from workflow_node_runs n
        where n.org_id = e.org_id and n.id = e.node_run_id and n.phase <> 'ENDED')
      limit ${limit}) /* all organizations */`);
}
