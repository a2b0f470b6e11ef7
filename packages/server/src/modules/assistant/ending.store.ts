import type { Receipts } from '@portolan/contract/receipts';
import sql from 'sql-template-tag';
import type { Tx } from '../../platform/db/database.ts';
import { computed, field, fields, row } from '../../platform/db/row.ts';
import type { Organization } from '../organizations/index.ts';
import { batchInsert, type EventBatch } from './event.store.ts';
import { endingUpdate, type InvocationEnding } from './invocation.store.ts';
import { receiptsInsert } from './receipts/receipt.store.ts';
import { type InvocationUsage, settlement } from './settlement.store.ts';
import { selectUsed, type Used, usedRow } from './usage.store.ts';

/** A running invocation, with the usage and limits that its end is counted against. */
export interface UnendedInvocation extends Used {
  readonly askedAt: Date;
  /** Null if the organization was deleted. */
  readonly plan: Organization['plan'] | null;
  readonly quotas: Organization['quotas'] | null;
  /** What its request took of budgets, if there are any. */
  readonly charge: string | null;
}

/** Sets the statement timeout of the transaction. */
export async function limitStatements(tx: Tx, ms: number): Promise<void> {
  await tx.rows(sql`select set_config('statement_timeout', ${String(ms)}, true)`);
}

const unended = row({
  ...fields('invocations', 'asked_at'),
  plan: field('organizations', 'plan').orNull(),
  quotas: field('organizations', 'quotas').as<Organization['quotas']>().orNull(),
  charge: computed.text.orNull(),
  ...usedRow.fields,
});

/** Locks the invocation if it has not ended: the holder of the lock ends it. */
export function lockUnended(tx: Tx, orgId: string, id: string, now: Date): Promise<UnendedInvocation | undefined> {
  return tx.first(unended.sql`
    select i.asked_at as "askedAt", o.plan, o.quotas, used.*,
      (select c.id from ai_charges c where c.org_id = ${orgId} and c.invocation = i.id) as charge
    from invocations i left join organizations o on o.id = i.org_id, lateral (${selectUsed(orgId, now)}) used
    where i.org_id = ${orgId} and i.id = ${id} and i.state = 'running' for update of i`);
}

/**
 * Ends the invocation in one statement: record, last events, receipts and usage. Sent together with the commit without waiting,
 * so that the end takes one round trip less.
 */
export function sendEnding(
  tx: Tx,
  { orgId, invocationId, events }: EventBatch,
  ending: InvocationEnding,
  use: InvocationUsage,
  receipts?: Receipts,
): void {
  tx.send(sql`
    with ended as (${endingUpdate(orgId, invocationId, ending)}),
    told as (${batchInsert({ orgId, invocationId, events })})${receiptsInsert(orgId, invocationId, receipts)}${settlement(orgId, use)}
    select 1`);
}
