import { LRUCache } from 'lru-cache';
import sql from 'sql-template-tag';
import type { Reader } from '../../../platform/db/database.ts';
import { listBlueprintRows } from '../../blueprints/index.ts';
import { type DerivationPlans, planDerivations } from './derivation-plan.ts';

/** Plans are a pure function of the blueprints, so they may be kept for as long as no blueprint changed. */
const kept = new LRUCache<string, { readonly state: string; readonly plans: DerivationPlans }>({ max: 500 });

/** The derivation plans of an organization as its blueprints are now, read anew only after a blueprint changed. */
export async function loadPlans(reader: Reader, orgId: string): Promise<DerivationPlans> {
  const row = await reader.first<{ state: string }>(sql`
    select concat_ws(':', count(*), sum(version), max(key)) as state from blueprints where org_id = ${orgId}`);
  const state = row?.state ?? '';
  const known = kept.get(orgId);
  if (known?.state === state) return known.plans;
  const plans = planDerivations(await listBlueprintRows(reader, orgId));
  kept.set(orgId, { state, plans });
  return plans;
}
