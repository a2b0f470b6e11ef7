import sql from 'sql-template-tag';
import type { Tx } from '../../../../platform/db/database.ts';
import { json } from '../../../../platform/db/json.ts';

export interface TakenOver {
  /** The node run as it was carried out, or taken over before. */
  readonly from: string;
  readonly to: string;
  readonly step: number;
}

/**
 * Takes ended node runs over into a new run, with the responses of their forms: what they gave, and nothing by which an
 * executor would find them.
 */
export async function copyNodeRuns(
  tx: Tx,
  orgId: string,
  runId: string,
  taken: readonly TakenOver[],
  now: Date,
): Promise<void> {
  const rows = json(taken);
  await tx.execute(sql`
    insert into workflow_node_runs (org_id, id, run_id, step, node, attempt, type, phase, result, outlet, goes_on,
      ends_run, status_label, message, raw, output, input, links, tries, copied_from, created_at, started_at, ended_at)
    select n.org_id, c."to", ${runId}, c.step, n.node, 1, n.type, n.phase, n.result, n.outlet, n.goes_on, n.ends_run,
      n.status_label, n.message, n.raw, n.output, n.input, n.links, n.tries, coalesce(n.copied_from, n.id),
      ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
    from jsonb_to_recordset(${rows}::jsonb) as c("from" text, "to" text, step integer)
    join workflow_node_runs n on n.org_id = ${orgId} and n.id = c."from"`);
  await tx.execute(sql`
    insert into workflow_responses (org_id, node_run_id, responder, button, inputs, responded_at)
    select p.org_id, c."to", p.responder, p.button, p.inputs, p.responded_at
    from jsonb_to_recordset(${rows}::jsonb) as c("from" text, "to" text)
    join workflow_responses p on p.org_id = ${orgId} and p.node_run_id = c."from"`);
}

/** Puts a new run where the steps that it took over end. */
export async function placeRerun(
  tx: Tx,
  orgId: string,
  runId: string,
  placed: { readonly atNodeRun: string | null; readonly rerunOf: string; readonly fromNode: string },
): Promise<void> {
  await tx.execute(sql`
    update workflow_runs set at_node_run = ${placed.atNodeRun}, rerun_of = ${placed.rerunOf}, from_node = ${placed.fromNode}
    where org_id = ${orgId} and id = ${runId}`);
}
