import sql, { type Sql } from 'sql-template-tag';
import type { Tx } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import { fields, row } from '../../../platform/db/row.ts';
import { insertedRun } from './run.store.ts';
import type { StoredNodeRun, StoredWorkflowRun } from './workflow-run.ts';

/** Transitions of one run, one after another. */
export interface WrittenTransitions {
  /** The revision that the first of them was planned from; undefined of a run that is stored with them. */
  readonly fromRev: number | undefined;
  /** As the last leaves it. */
  readonly run: StoredWorkflowRun;
  /** Those that were begun or changed, each as it is left. */
  readonly nodeRuns: readonly StoredNodeRun[];
  readonly events: readonly WrittenEvent[];
  readonly responses: readonly WrittenResponse[];
  readonly log: readonly (LogLine & { readonly nodeRunId: string })[];
  readonly now: Date;
}

interface WrittenEvent {
  readonly seq: number;
  readonly kind: string;
  readonly nodeRunId: string | null;
  readonly data: unknown;
}

interface WrittenResponse {
  readonly nodeRunId: string;
  readonly responder: string;
  readonly button: string;
  readonly inputs: unknown;
}

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly tags?: unknown;
}

const revRow = row(fields('workflow_runs', 'rev'));

/**
 * Writes transitions by one statement that hangs on the compare-and-set of `rev`, or on the insert of the run: false, and
 * nothing written, if the run has moved on, or is there. Claims of a node run are not touched.
 */
export async function writeTransitions(
  tx: Tx,
  orgId: string,
  { fromRev, run, nodeRuns, events, responses, log, now }: WrittenTransitions,
): Promise<boolean> {
  const moved = await tx.first(revRow.sql`
    with moved as (${fromRev === undefined ? insertedRun(orgId, run, null) : setFrom(orgId, run, fromRev)}),
    stepped as (
      insert into workflow_node_runs as n (org_id, id, run_id, step, node, attempt, type, phase, result, outlet, goes_on,
        ends_run, status_label, message, raw, output, input, links, tries, installation_id, external_run_id, due_at,
        responders, compensates, call_key, created_at, started_at, ended_at)
      select m.org_id, t.* from moved m cross join jsonb_to_recordset(${json(nodeRuns.map(toRow))}::jsonb)
        as t(id text, run_id text, step integer, node text, attempt integer, type text, phase text, result text,
          outlet text, goes_on boolean, ends_run text, status_label jsonb, message text, raw jsonb, output jsonb,
          input jsonb, links jsonb, tries integer, installation_id text, external_run_id text, due_at timestamptz,
          responders jsonb, compensates text, call_key text, created_at timestamptz, started_at timestamptz, ended_at timestamptz)
      on conflict (org_id, id) do update set phase = excluded.phase, result = excluded.result, outlet = excluded.outlet,
        goes_on = excluded.goes_on, ends_run = excluded.ends_run, status_label = excluded.status_label,
        message = excluded.message, raw = excluded.raw, output = excluded.output, input = excluded.input,
        links = excluded.links, tries = excluded.tries, installation_id = excluded.installation_id,
        external_run_id = excluded.external_run_id, due_at = excluded.due_at, responders = excluded.responders,
        started_at = excluded.started_at, ended_at = excluded.ended_at),
    noted as (
      insert into workflow_run_events (org_id, run_id, seq, kind, node_run_id, data, at)
      select m.org_id, m.id, e.seq, e.kind, e."nodeRunId", e.data, ${now}::timestamptz
      from moved m cross join jsonb_to_recordset(${json(events)}::jsonb)
        as e(seq bigint, kind text, "nodeRunId" text, data jsonb)),
    answered as (
      insert into workflow_responses (org_id, node_run_id, responder, button, inputs, responded_at)
      select m.org_id, p."nodeRunId", p.responder, p.button, p.inputs, ${now}::timestamptz
      from moved m cross join jsonb_to_recordset(${json(responses)}::jsonb)
        as p("nodeRunId" text, responder text, button text, inputs jsonb)),
    logged as (
      insert into workflow_node_run_logs (org_id, node_run_id, level, message, tags, at)
      select m.org_id, l."nodeRunId", l.level, l.message, l.tags, ${now}::timestamptz
      from moved m cross join jsonb_to_recordset(${json(log)}::jsonb)
        as l("nodeRunId" text, level text, message text, tags jsonb))
    select rev from moved`);
  return moved !== undefined;
}

/** The compare-and-set. */
function setFrom(orgId: string, run: StoredWorkflowRun, fromRev: number): Sql {
  return sql`
      update workflow_runs set rev = ${run.rev}, status = ${run.status}, result = ${run.result},
        status_label = ${run.statusLabel && json(run.statusLabel)}, message = ${run.message},
        message_before = ${run.messageBefore && json(run.messageBefore)}, at_node_run = ${run.atNodeRun},
        cancel = ${run.cancel}, cancelled_by = ${run.cancelledBy}, steps = ${run.steps}, ends_as = ${run.endsAs},
        deadline_at = ${run.deadlineAt}, repeated_by = ${run.repeatedBy}, bytes = ${run.bytes},
        updated_at = ${run.updatedAt}, completed_at = ${run.completedAt}
      where org_id = ${orgId} and id = ${run.id} and rev = ${fromRev}
      returning org_id, id, rev`;
}

function toRow(nodeRun: StoredNodeRun): Readonly<Record<string, unknown>> {
  return {
    id: nodeRun.id,
    run_id: nodeRun.runId,
    step: nodeRun.step,
    node: nodeRun.node,
    attempt: nodeRun.attempt,
    type: nodeRun.type,
    phase: nodeRun.phase,
    result: nodeRun.result,
    outlet: nodeRun.outlet,
    goes_on: nodeRun.goesOn,
    ends_run: nodeRun.endsRun,
    status_label: nodeRun.statusLabel,
    message: nodeRun.message,
    raw: nodeRun.raw,
    output: nodeRun.output,
    input: nodeRun.input,
    links: nodeRun.links,
    tries: nodeRun.tries,
    installation_id: nodeRun.installationId,
    external_run_id: nodeRun.externalRunId,
    due_at: nodeRun.dueAt,
    responders: nodeRun.responders,
    compensates: nodeRun.compensates,
    call_key: nodeRun.callKey,
    created_at: nodeRun.createdAt,
    started_at: nodeRun.startedAt,
    ended_at: nodeRun.endedAt,
  };
}
