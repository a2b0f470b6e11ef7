import { raw } from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { computed, countRow, field, fields, type RowOf, row } from '../../../platform/db/row.ts';
import type { Responders, StoredNodeRun } from './workflow-run.ts';

const columns = raw(`n.id, n.run_id as "runId", n.step, n.node, n.attempt, n.type, n.phase, n.result, n.outlet,
  n.goes_on as "goesOn", n.ends_run as "endsRun", n.status_label as "statusLabel", n.message, n.raw, n.output, n.input,
  n.links, n.tries, n.installation_id as "installationId", n.claimed_until as "claimedUntil",
  n.acknowledged_at as "acknowledgedAt", n.external_run_id as "externalRunId", n.due_at as "dueAt", n.responders,
  n.copied_from as "copiedFrom", coalesce(n.compensates, n.failed_to_compensate) as compensates,
  n.failed_to_compensate is not null as "isRepeated", n.call_key as "callKey",
  n.created_at as "createdAt", n.started_at as "startedAt", n.ended_at as "endedAt"`);

const nodeRunRow = row({
  ...fields(
    'workflow_node_runs',
    'id',
    'run_id',
    'step',
    'node',
    'attempt',
    'type',
    'phase',
    'result',
    'outlet',
    'goes_on',
    'ends_run',
    'message',
    'tries',
    'installation_id',
    'claimed_until',
    'acknowledged_at',
    'external_run_id',
    'due_at',
    'copied_from',
    'call_key',
    'created_at',
    'started_at',
    'ended_at',
  ),
  statusLabel: field('workflow_node_runs', 'status_label').as<NonNullable<StoredNodeRun['statusLabel']>>(),
  raw: field('workflow_node_runs', 'raw').as<unknown>(),
  output: field('workflow_node_runs', 'output').as<unknown>(),
  input: field('workflow_node_runs', 'input').as<unknown>(),
  links: field('workflow_node_runs', 'links').as<readonly string[]>(),
  responders: field('workflow_node_runs', 'responders').as<Responders>(),
  compensates: computed.text.orNull(),
  isRepeated: computed.boolean,
});

export function findNodeRun(reader: Reader, orgId: string, id: string): Promise<StoredNodeRun | undefined> {
  return reader.first(
    nodeRunRow.sql`select ${columns} from workflow_node_runs n where n.org_id = ${orgId} and n.id = ${id}`,
  );
}

/** In the order of their steps. */
export function listNodeRunsOfRun(reader: Reader, orgId: string, runId: string): Promise<readonly StoredNodeRun[]> {
  return reader.rows(nodeRunRow.sql`
    select ${columns} from workflow_node_runs n where n.org_id = ${orgId} and n.run_id = ${runId} order by n.step`);
}

export function listNodeRunsById(
  reader: Reader,
  orgId: string,
  ids: readonly string[],
): Promise<readonly StoredNodeRun[]> {
  return reader.rows(nodeRunRow.sql`
    select ${columns} from workflow_node_runs n where n.org_id = ${orgId} and n.id = any(${[...ids]}::text[])`);
}

const endedRow = row({
  ...fields('workflow_node_runs', 'node', 'result', 'goes_on'),
  output: computed.json.as<unknown>().orNull(),
});

export interface EndedSteps {
  /** What each gave, by node, as later steps read it. */
  readonly outputs: Record<string, unknown>;
  /** How many failed though the run went on. */
  readonly failedSteps: number;
}

/** Without those that undo others: nobody reads what they gave. */
export async function readEndedSteps(reader: Reader, orgId: string, runId: string): Promise<EndedSteps> {
  const rows = await reader.rows(endedRow.sql`
    select n.node, n.result, n.goes_on as "goesOn", coalesce(n.output, n.raw) as output from workflow_node_runs n
    where n.org_id = ${orgId} and n.run_id = ${runId} and n.phase = 'ENDED' and n.compensates is null
      and n.failed_to_compensate is null order by n.step`);
  return {
    outputs: Object.fromEntries(rows.map(({ node, output }) => [node, output])),
    failedSteps: rows.filter(hasFailedAndGoesOn).length,
  };
}

export function hasFailedAndGoesOn({ result, goesOn }: Pick<StoredNodeRun, 'result' | 'goesOn'>): boolean {
  return result === 'FAILED' && goesOn;
}

const dueOrganizationRow = row(fields('workflow_node_runs', 'org_id'));

/** Organizations in which a node run's moment has come. */
export function listDueOrganizations(reader: Reader, now: Date) {
  return reader.rows(dueOrganizationRow.sql`
    select distinct n.org_id as "orgId" from workflow_node_runs n where n.due_at <= ${now} /* all organizations */`);
}

const wokenRow = row(fields('workflow_node_runs', 'run_id'));

/** Takes node runs whose moment has come: with `due_at` empty while they wait, their run goes on. */
export async function takeDue(tx: Tx, orgId: string, now: Date, limit: number): Promise<readonly string[]> {
  const rows = await tx.rows(wokenRow.sql`
    with due as (
      select n.id from workflow_node_runs n where n.org_id = ${orgId} and n.due_at <= ${now}
      order by n.due_at limit ${limit} for update skip locked)
    update workflow_node_runs n set due_at = null from due where n.org_id = ${orgId} and n.id = due.id
    returning n.run_id as "runId"`);
  return rows.map(({ runId }) => runId);
}

const stuckRow = row({
  ...fields('workflow_runs', 'org_id', 'updated_at'),
  /** The run whose step has to send it on, where it has not begun. */
  waitsForTurn: field('workflow_runs', 'id').orNull(),
  runId: field('workflow_runs', 'id'),
  nodeRunId: field('workflow_node_runs', 'id').orNull(),
  phase: field('workflow_node_runs', 'phase').orNull(),
});
export type StuckRun = RowOf<typeof stuckRow>;

/** Runs that should go on and were not touched since a moment, after the last that was read, the oldest first. */
export function listStuck(reader: Reader, before: Date, last: StuckRun | undefined, limit: number) {
  return reader.rows(stuckRow.sql`
    select r.org_id as "orgId", r.id as "runId", r.updated_at as "updatedAt", p.id as "waitsForTurn",
      n.id as "nodeRunId", n.phase from workflow_runs r
    left join workflow_node_runs n on n.org_id = r.org_id and n.id = r.at_node_run
    left join workflow_runs p on p.org_id = r.org_id and p.id = r.parent_run and p.at_node_run = r.parent_node_run
      and p.status <> 'COMPLETED' and r.rev = 0 and r.compensates is null
    where r.status <> 'COMPLETED' and r.updated_at < ${before}
      and (${last?.updatedAt ?? null}::timestamptz is null
        or (r.updated_at, r.id) > (${last?.updatedAt ?? null}::timestamptz, ${last?.runId ?? null}))
      and (n.id is null or n.phase in ('DISPATCHING', 'READY') or n.due_at is null and (n.phase <> 'ENDED'
          or not exists (select 1 from workflow_node_runs b join workflow_runs c
            on c.org_id = b.org_id and c.parent_node_run = b.id
            where b.org_id = r.org_id and b.run_id = r.id and c.status <> 'COMPLETED'))
        or n.phase = 'WAIT_CHILD' and n.due_at = r.deadline_at and not exists (
          select 1 from workflow_runs c
          where c.org_id = n.org_id and c.parent_node_run = n.id and (c.status <> 'COMPLETED' or c.updated_at >= ${before})))
    order by r.updated_at, r.id limit ${limit} /* all organizations */`);
}

const responseRow = row({
  ...fields('workflow_responses', 'responder', 'button', 'responded_at'),
  nodeRunId: field('workflow_responses', 'node_run_id'),
  inputs: field('workflow_responses', 'inputs').as<Readonly<Record<string, unknown>>>(),
});
export type StoredResponse = Awaited<ReturnType<typeof listResponses>>[number];

/** In the order in which they came. */
export function listResponses(reader: Reader, orgId: string, nodeRunIds: readonly string[]) {
  return reader.rows(responseRow.sql`
    select p.node_run_id as "nodeRunId", p.responder, p.button, p.responded_at as "respondedAt", p.inputs
    from workflow_responses p
    where p.org_id = ${orgId} and p.node_run_id = any(${[...nodeRunIds]}::text[]) order by p.responded_at, p.responder`);
}

/** Whether somebody has answered a form of the run. */
export async function hasResponded(reader: Reader, orgId: string, runId: string, responder: string): Promise<boolean> {
  const counted = await reader.first(countRow.sql`
    select count(*)::int as count from workflow_node_runs n
    join workflow_responses p on p.org_id = n.org_id and p.node_run_id = n.id
    where n.org_id = ${orgId} and n.run_id = ${runId} and n.type = 'INPUT' and p.responder = ${responder}`);
  return (counted?.count ?? 0) > 0;
}

const logRow = row({
  ...fields('workflow_node_run_logs', 'key', 'level', 'message', 'at'),
  nodeRunId: field('workflow_node_run_logs', 'node_run_id'),
  node: field('workflow_node_runs', 'node'),
  tags: field('workflow_node_run_logs', 'tags').as<unknown>(),
});

/** Lines of all node runs of a run, oldest first. */
export function listRunLogLines(
  reader: Reader,
  orgId: string,
  { runId, after, limit }: { readonly runId: string; readonly after: number; readonly limit: number },
) {
  return reader.rows(logRow.sql`
    select l.key, l.node_run_id as "nodeRunId", n.node, l.level, l.message, l.tags, l.at
    from workflow_node_runs n join workflow_node_run_logs l on l.org_id = n.org_id and l.node_run_id = n.id
    where n.org_id = ${orgId} and n.run_id = ${runId} and l.key > ${after} order by l.key limit ${limit}`);
}
