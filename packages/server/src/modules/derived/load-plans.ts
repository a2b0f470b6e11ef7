import { LRUCache } from 'lru-cache';
import type { Reader } from '../../platform/db/database.ts';
import { listBlueprintRows } from '../blueprints/index.ts';
import type { Organization } from '../organizations/index.ts';
import { type DependentsIndex, indexDependents } from './dependents-index.ts';
import { type DerivationPlans, planDerivations } from './derivation-plan.ts';
import { readPlanState } from './derived.store.ts';

export interface LoadedPlans extends DerivationPlans {
  readonly watches: DependentsIndex;
  /** How the organization shows teams, held with the plans; a request may have started before it changed. */
  readonly model: OrganizationModel;
  /** Blueprints with scorecards when the plans were read. */
  readonly scored: ReadonlySet<number>;
}

type OrganizationModel = Organization['model'];

/** Plans depend on the blueprints alone, so they are cached until one changes. */
const kept = new LRUCache<string, { readonly state: string; readonly plans: Omit<LoadedPlans, 'model' | 'scored'> }>({
  max: 500,
});

/**
 * The organization's derivation plans, reread after a blueprint changed. The cache key holds the transactions that
 * wrote the blueprints: a version alone may repeat after a rollback.
 */
export async function loadPlans(reader: Reader, orgId: string): Promise<LoadedPlans> {
  const row = await readPlanState(reader, orgId);
  const state = row?.state ?? '';
  const model = row?.model ?? 'blueprints';
  const scored = new Set(row?.scored);
  const known = kept.get(orgId);
  if (known?.state === state) return { ...known.plans, model, scored };
  const planned = planDerivations(await listBlueprintRows(reader, orgId));
  const plans = { ...planned, watches: indexDependents(planned.nodes.values()) };
  kept.set(orgId, { state, plans });
  return { ...plans, model, scored };
}
