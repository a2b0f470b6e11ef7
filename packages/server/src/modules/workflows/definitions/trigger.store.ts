import sql from 'sql-template-tag';
import type { Tx } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import type { TriggerType } from './workflow.ts';

/** A trigger of a current version, as it is looked up. */
export interface TriggerRow {
  readonly node: string;
  readonly kind: TriggerType;
  readonly published: boolean;
  readonly event: string | null;
  readonly blueprint: string | null;
  readonly property: string | null;
  readonly cron: string | null;
  readonly nextRunAt: Date | null;
}

/** Makes these the triggers of a workflow. A schedule that stays the same keeps the tick that is due. */
export async function replaceTriggers(
  tx: Tx,
  orgId: string,
  workflowKey: number,
  triggers: readonly TriggerRow[],
): Promise<void> {
  const names = triggers.map(({ node }) => node);
  await tx.execute(sql`
    delete from workflow_triggers
    where org_id = ${orgId} and workflow_key = ${workflowKey} and not node = any(${names}::text[])`);
  await tx.execute(sql`
    insert into workflow_triggers as t
      (org_id, workflow_key, node, kind, published, event, blueprint, property, cron, next_run_at)
    select ${orgId}, ${workflowKey}, r.node, r.kind, r.published, r.event, r.blueprint, r.property, r.cron, r."nextRunAt"
    from jsonb_to_recordset(${json(triggers)}::jsonb) as r(node text, kind text, published boolean, event text,
      blueprint text, property text, cron text, "nextRunAt" timestamptz)
    on conflict (org_id, workflow_key, node) do update set kind = excluded.kind, published = excluded.published,
      event = excluded.event, blueprint = excluded.blueprint, property = excluded.property, cron = excluded.cron,
      next_run_at = case when t.cron = excluded.cron and t.next_run_at is not null and excluded.next_run_at is not null
        then t.next_run_at else excluded.next_run_at end`);
}
