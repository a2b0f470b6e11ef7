import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import { field, fields, row } from '../../../platform/db/row.ts';
import type { Grant } from '../../rights/index.ts';
import type { TriggerType } from './workflow.ts';

/** A trigger of a current version, as it is looked up. */
export interface TriggerRow {
  readonly node: string;
  readonly kind: TriggerType;
  readonly published: boolean;
  /** The lists of who may start it, of a trigger with a form. */
  readonly permitted: Grant | null;
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
      (org_id, workflow_key, node, kind, published, permitted, event, blueprint, property, cron, next_run_at)
    select ${orgId}, ${workflowKey}, r.node, r.kind, r.published, r.permitted, r.event, r.blueprint, r.property,
      r.cron, r."nextRunAt"
    from jsonb_to_recordset(${json(triggers)}::jsonb) as r(node text, kind text, published boolean, permitted jsonb,
      event text, blueprint text, property text, cron text, "nextRunAt" timestamptz)
    on conflict (org_id, workflow_key, node) do update set kind = excluded.kind, published = excluded.published,
      permitted = excluded.permitted, event = excluded.event, blueprint = excluded.blueprint, property = excluded.property, cron = excluded.cron,
      next_run_at = case when t.cron = excluded.cron and t.next_run_at is not null and excluded.next_run_at is not null
        then t.next_run_at else excluded.next_run_at end`);
}

const grantRow = row({
  ...fields('workflow_triggers', 'workflow_key', 'node'),
  permitted: field('workflow_triggers', 'permitted').as<Grant>().notNull(),
});

/** The lists of who may start runs by forms: of these workflows, or of all. */
export function findTriggerGrants(reader: Reader, orgId: string, workflowKeys: readonly number[] | undefined) {
  return reader.rows(grantRow.sql`
    select t.workflow_key as "workflowKey", t.node, t.permitted from workflow_triggers t
    where t.org_id = ${orgId} and t.permitted is not null
      and (${workflowKeys === undefined} or t.workflow_key = any(${[...(workflowKeys ?? [])]}::bigint[]))`);
}
