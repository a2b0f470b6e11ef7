import sql from 'sql-template-tag';
import type { Interest } from '../../journal/index.ts';

/** Name of the consumer of events that node runs wait for; its targets are node runs. */
export const waitsConsumer = 'workflow-waits';

/** Selects the node runs whose wait a record that is being written ends, or may end. */
export const waitInterest: Interest = (orgId) => sql`
  select 'workflow-waits' as consumer, a.node_run_id as target, w.key
  from written w join workflow_waits a on a.org_id = ${orgId} and a.action_run = w.context ->> 'runId'
  where w.resource_type = 'run' and w.event = 'run.updated'
    and w.after ->> 'status' in ('SUCCESS', 'FAILURE', 'DECLINED')`;
