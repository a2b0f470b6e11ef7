import type { ReceiptsMode } from '@portolan/contract/assistant';
import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import { field, fields, row } from '../../../platform/db/row.ts';
import type { ActionRisk } from '../../../platform/tools/call-decision.ts';
import { listTrustedSources, replaceTrustedSources, type TrustedSource } from '../../organizations/index.ts';

/** What an organization decided about its assistant. */
export interface AiPolicy {
  readonly injection: 'enforce' | 'observe';
  /** Until when `observe` holds; null if somebody chose it, or it does not hold. */
  readonly observedUntil: Date | null;
  /** By the name of an action or of a connected tool. */
  readonly risks: Readonly<Record<string, ActionRisk>>;
  readonly trustedSources: readonly TrustedSource[];
  readonly receipts: ReceiptsMode;
}

const policyRow = row({
  ...fields('ai_policies', 'observed_until'),
  injection: field('ai_policies', 'injection').as<AiPolicy['injection']>(),
  risks: field('ai_policies', 'risks').as<AiPolicy['risks']>(),
  receipts: field('ai_policies', 'receipts').as<ReceiptsMode>(),
});

/** The policy in force; without one, and once `observe` has run out, the rule is enforced. */
export async function readPolicy(reader: Reader, orgId: string, now: Date): Promise<AiPolicy> {
  const stored = await reader.first(policyRow.sql`
    select injection, observed_until as "observedUntil", risks, receipts from ai_policies where org_id = ${orgId}`);
  const trustedSources = await listTrustedSources(reader, orgId);
  if (!stored) return { injection: 'enforce', observedUntil: null, risks: {}, receipts: 'off', trustedSources };
  const isOver = stored.observedUntil !== null && stored.observedUntil <= now;
  return { ...stored, trustedSources, ...(isOver ? { injection: 'enforce', observedUntil: null } : {}) };
}

export async function putPolicy(
  tx: Tx,
  orgId: string,
  { injection, observedUntil, risks, trustedSources, receipts }: AiPolicy,
  { by, at }: { readonly by: string; readonly at: Date },
): Promise<void> {
  await tx.execute(sql`
    insert into ai_policies (org_id, injection, observed_until, risks, receipts, updated_at, updated_by)
    values (${orgId}, ${injection}, ${observedUntil}, ${json(risks)}, ${receipts}, ${at}, ${by})
    on conflict (org_id) do update set injection = excluded.injection, observed_until = excluded.observed_until,
      risks = excluded.risks, receipts = excluded.receipts, updated_at = excluded.updated_at, updated_by = excluded.updated_by`);
  await replaceTrustedSources(tx, orgId, trustedSources, { by, at });
}
