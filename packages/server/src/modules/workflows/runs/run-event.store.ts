import type { Reader } from '../../../platform/db/database.ts';
import { field, fields, row } from '../../../platform/db/row.ts';

/** What an event says of its run; more of it is for the engine. */
interface EventData {
  readonly status: 'IN_PROGRESS' | 'CANCELLING' | 'COMPLETED';
  readonly result: string | null;
  readonly node?: string | null;
  readonly phase?: string | null;
  readonly nodeResult?: string | null;
  readonly outlet?: string | null;
}

const eventRow = row({
  ...fields('workflow_run_events', 'seq', 'kind', 'node_run_id', 'at'),
  data: field('workflow_run_events', 'data').as<EventData>(),
});
export type RunEvent = Awaited<ReturnType<typeof listRunEvents>>[number];

/** Events of a run after one of them, in order. */
export function listRunEvents(reader: Reader, orgId: string, runId: string, after: number, limit: number) {
  return reader.rows(eventRow.sql`
    select e.seq, e.kind, e.node_run_id as "nodeRunId", e.data, e.at from workflow_run_events e
    where e.org_id = ${orgId} and e.run_id = ${runId} and e.seq > ${after} order by e.seq limit ${limit}`);
}
