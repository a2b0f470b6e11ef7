import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import { field, fields, row } from '../../../platform/db/row.ts';
import type { InputOrigin } from '../../../platform/tools/call-decision.ts';

/** What one call sent to a connected server; of its values only how long they are and where they stand. */
export interface Egress {
  readonly callId: string;
  readonly server: string;
  readonly tool: string;
  readonly rule: string;
  /** Whether the rule would have kept it, had the organization enforced it. */
  readonly isObserved: boolean;
  readonly arguments: readonly SentArgument[];
  readonly sentAt: Date;
}

export interface SentArgument {
  readonly name: string;
  readonly bytes: number;
  readonly origin: InputOrigin;
}

const egressRow = row({
  ...fields('invocation_egress', 'call_id', 'server', 'tool', 'rule', 'is_observed', 'sent_at'),
  arguments: field('invocation_egress', 'arguments').as<readonly SentArgument[]>(),
});

/** A call that is decided on again is the same call. */
export async function insertEgress(tx: Tx, orgId: string, invocationId: string, sent: Egress): Promise<void> {
  const { callId, server, tool, rule, isObserved, sentAt } = sent;
  await tx.execute(sql`
    insert into invocation_egress (org_id, invocation_id, call_id, server, tool, rule, is_observed, arguments, sent_at)
    values (${orgId}, ${invocationId}, ${callId}, ${server}, ${tool}, ${rule}, ${isObserved}, ${json(sent.arguments)},
      ${sentAt})
    on conflict (org_id, invocation_id, call_id) do nothing`);
}

export function listEgress(reader: Reader, orgId: string, invocationId: string): Promise<Egress[]> {
  return reader.rows(egressRow.sql`
    select call_id as "callId", server, tool, rule, is_observed as "isObserved", arguments, sent_at as "sentAt"
    from invocation_egress where org_id = ${orgId} and invocation_id = ${invocationId}
    order by sent_at, length(call_id), call_id`);
}
