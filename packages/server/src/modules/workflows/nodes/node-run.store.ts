import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import { field, fields, row } from '../../../platform/db/row.ts';
import type { LogLine } from './node-run.ports.ts';

const claimedRow = row(fields('workflow_node_runs', 'id', 'created_at'));

/** Claims waiting node runs of an installation, oldest first, skipping rows that others are claiming. */
export function claimNodeRunRows(
  tx: Tx,
  orgId: string,
  claim: {
    readonly installationId: string;
    /** `<workflow id>:<node>` */
    readonly exclude: readonly string[];
    readonly limit: number;
    readonly now: Date;
    readonly until: Date;
  },
): Promise<readonly { readonly id: string; readonly createdAt: Date }[]> {
  const { installationId, exclude, limit, now, until } = claim;
  return tx.rows(claimedRow.sql`
    update workflow_node_runs n set claimed_until = ${until}
    where n.org_id = ${orgId} and n.id in (
      select o.id from workflow_node_runs o
      where o.org_id = ${orgId} and o.installation_id = ${installationId} and o.acknowledged_at is null
        and o.phase = 'WAIT_REPORT' and (o.claimed_until is null or o.claimed_until <= ${now})
        and not exists (
          select 1 from workflow_runs r
          join workflows w on w.org_id = r.org_id and w.key = r.workflow_key
          where r.org_id = o.org_id and r.id = o.run_id and w.id || ':' || o.node = any(${[...exclude]}))
      order by o.created_at, o.id limit ${limit} for update of o skip locked)
    returning n.id, n.created_at as "createdAt"`);
}

const takenRow = row({
  ...fields('workflow_node_runs', 'phase', 'installation_id', 'acknowledged_at'),
});

export interface OfferedState {
  readonly phase: string;
  readonly installationId: string | null;
  readonly acknowledgedAt: Date | null;
}

/**
 * Acknowledges a node run that waits and that nobody has acknowledged; false if there is none such. It counts as a change
 * of the run, so that whoever planned a transition before it plans again.
 */
export async function acknowledgeRow(tx: Tx, orgId: string, id: string, now: Date): Promise<boolean> {
  // an event for each change, so that a reader of the events finds no gap
  await tx.execute(sql`
    with moved as (
      update workflow_runs r set rev = rev + 1
      where r.org_id = ${orgId} and r.id = (
        select n.run_id from workflow_node_runs n where n.org_id = ${orgId} and n.id = ${id})
      returning r.org_id, r.id, r.rev, r.status, r.result, r.cancel, r.ends_as, r.steps, r.at_node_run)
    insert into workflow_run_events (org_id, run_id, seq, kind, node_run_id, data, at)
    select m.org_id, m.id, m.rev, 'node.acknowledged', ${id}, jsonb_build_object('status', m.status, 'result', m.result,
      'cancel', m.cancel, 'endsAs', m.ends_as, 'steps', m.steps, 'node', a.node, 'phase', a.phase, 'nodeResult', a.result, 'outlet', a.outlet),
      ${now}::timestamptz
    from moved m left join workflow_node_runs a on a.org_id = m.org_id and a.id = m.at_node_run`);
  const taken = await tx.rows(claimedRow.sql`
    update workflow_node_runs n set acknowledged_at = ${now}, claimed_until = null
    where n.org_id = ${orgId} and n.id = ${id} and n.acknowledged_at is null and n.installation_id is not null
      and n.phase <> 'ENDED'
    returning n.id, n.created_at as "createdAt"`);
  return taken.length > 0;
}

/** Marks the call of a try as begun; false if it was begun before, or is not to be made any more. */
export async function beginCall(tx: Tx, orgId: string, id: string, tries: number): Promise<boolean> {
  const begun = await tx.execute(sql`
    update workflow_node_runs n set begun_try = ${tries}
    where n.org_id = ${orgId} and n.id = ${id} and n.phase = 'DISPATCHING' and n.tries = ${tries}
      and n.begun_try is distinct from ${tries}`);
  return begun > 0;
}

/** The call was not made after all. */
export async function forgetCall(tx: Tx, orgId: string, id: string): Promise<void> {
  await tx.execute(sql`update workflow_node_runs n set begun_try = null where n.org_id = ${orgId} and n.id = ${id}`);
}

/** Of one that is, or was, offered. */
export function findOffered(reader: Reader, orgId: string, id: string): Promise<OfferedState | undefined> {
  return reader.first(takenRow.sql`
    select n.phase, n.installation_id as "installationId", n.acknowledged_at as "acknowledgedAt"
    from workflow_node_runs n where n.org_id = ${orgId} and n.id = ${id}`);
}

/** Node runs that somebody said belong to an outside run, newest first. */
export async function listByExternalId(
  reader: Reader,
  orgId: string,
  externalRunId: string,
  limit: number,
): Promise<readonly string[]> {
  const found = await reader.rows(claimedRow.sql`
    select n.id, n.created_at as "createdAt" from workflow_node_runs n
    where n.org_id = ${orgId} and n.external_run_id = ${externalRunId}
    order by n.created_at desc, n.id desc limit ${limit}`);
  return found.map(({ id }) => id);
}

/** Adds lines to the log of a node run. */
export async function insertLogLines(
  tx: Tx,
  orgId: string,
  nodeRunId: string,
  lines: readonly LogLine[],
  at: Date,
): Promise<void> {
  for (const { level, message, tags } of lines) {
    await tx.execute(sql`
      insert into workflow_node_run_logs (org_id, node_run_id, level, message, tags, at)
      values (${orgId}, ${nodeRunId}, ${level}, ${message}, ${tags === undefined ? null : json(tags)}, ${at})`);
  }
}

const logRow = row({
  ...fields('workflow_node_run_logs', 'level', 'message', 'at'),
  tags: field('workflow_node_run_logs', 'tags').as<unknown>(),
});

/** Oldest first; of more than `limit` the newest. */
export async function listLogLines(
  reader: Reader,
  orgId: string,
  nodeRunId: string,
  limit: number,
): Promise<readonly { readonly level: string; readonly message: string; readonly tags: unknown; readonly at: Date }[]> {
  const found = await reader.rows(logRow.sql`
    select level, message, tags, at from workflow_node_run_logs
    where org_id = ${orgId} and node_run_id = ${nodeRunId} order by key desc limit ${limit}`);
  return found.reverse();
}
