import type { WorkflowRunsQuery } from '@portolan/contract/workflow-runs';
import sql, { type Sql } from 'sql-template-tag';

export type WorkflowRunFilters = Partial<
  Pick<
    WorkflowRunsQuery,
    | 'workflow'
    | 'status'
    | 'result'
    | 'user_email'
    | 'active'
    | 'waiting_for_me'
    | 'parent'
    | 'from'
    | 'to'
    | 'entity'
    | 'blueprint'
    | 'trigger'
    | 'started_by'
    | 'waiting'
    | 'rerun_of'
  >
>;

/** The phases in which a node run waits for something. */
const waitingPhases: Readonly<Record<string, readonly string[]>> = {
  report: ['WAIT_REPORT'],
  response: ['WAIT_RESPONSE'],
  time: ['WAIT_TIME', 'RETRY_AT'],
  child: ['WAIT_CHILD'],
};

/** Conditions on `workflow_runs r`; absent filters do not apply. */
export function workflowRunConditions(filters: WorkflowRunFilters): Sql[] {
  const { workflow, status, result, user_email: person, active, waiting_for_me: isAwaited, parent, from, to } = filters;
  const { entity, blueprint, trigger, started_by: startedBy, waiting, rerun_of: rerunOf } = filters;
  const phases = waiting?.flatMap((reason) => waitingPhases[reason] ?? []);
  return [
    ...(workflow === undefined ? [] : [sql`r.workflow_identifier = ${workflow}`]),
    ...withinParent(parent, isAwaited ?? false),
    ...(status ? [sql`r.status = any(${[...status]}::text[])`] : []),
    ...(result ? [sql`r.result = any(${[...result]}::text[])`] : []),
    ...(person === undefined ? [] : [sql`r.created_by = ${person}`]),
    ...(blueprint === undefined ? [] : [sql`r.blueprint = ${blueprint}`]),
    ...(entity === undefined ? [] : [sql`r.entity = ${entity}`]),
    ...(trigger ? [sql`r.trigger_kind = any(${[...trigger]}::text[])`] : []),
    ...(startedBy ? [sql`r.created_by_kind = any(${[...startedBy]}::text[])`] : []),
    ...(rerunOf === undefined ? [] : [sql`r.rerun_of = ${rerunOf}`]),
    ...(phases
      ? [
          sql`r.status <> 'COMPLETED' and exists (select 1 from workflow_node_runs n
            where n.org_id = r.org_id and n.id = r.at_node_run and n.phase = any(${phases}::text[]))`,
        ]
      : []),
    ...(active || isAwaited ? [sql`r.status <> 'COMPLETED'`] : []),
    ...(isAwaited
      ? [
          sql`exists (select 1 from workflow_node_runs n
            where n.org_id = r.org_id and n.id = r.at_node_run and n.phase = 'WAIT_RESPONSE')`,
        ]
      : []),
    ...(from ? [sql`r.created_at >= ${from}`] : []),
    ...(to ? [sql`r.created_at < ${to}`] : []),
  ];
}

/** Runs of bodies are parts of the run that holds them, and listed where they are asked for. */
function withinParent(parent: string | undefined, isAwaited: boolean): Sql[] {
  if (parent !== undefined) return [sql`(r.parent_run = ${parent} or r.parent_node_run = ${parent})`];
  return isAwaited ? [] : [sql`r.body is null`];
}

export function olderThan(key: number): Sql {
  return sql`r.key < ${key}`;
}

export function named(ids: readonly string[]): Sql {
  return sql`r.id = any(${[...ids]}::text[])`;
}
