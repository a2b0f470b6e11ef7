import type { Work } from '../../platform/unit-of-work.ts';
import { listBlueprintRows, listDerivedKeys, type StoredBlueprint } from '../blueprints/index.ts';
import { planDerivations } from './derivation-plan.ts';
import { keysHolding, keysOfBlueprint, lockPlans, markSelected, renameMarks, someKeys } from './derived.store.ts';
import type { DerivedNode } from './derived-node.ts';
import { inlineMax } from './find-dependents.ts';
import { type LoadedPlans, loadPlans } from './load-plans.ts';
import { recomputeDerived } from './recompute-derived.ts';
import { refreshRequest } from './refresh-request.ts';

/**
 * Follows a change of one blueprint, which affects every blueprint whose routes pass it. Values with a changed
 * definition are recomputed on all entities: here if few, otherwise by the job. Call it last, when all rows are
 * written: it blocks derivation in the organization for the transaction.
 */
export async function followBlueprint(work: Work, before: StoredBlueprint): Promise<void> {
  const { tx, actor } = work;
  const { orgId } = actor;
  await lockPlans(tx, orgId);
  const plans = await loadPlans(tx, orgId);
  const blueprints = await listBlueprintRows(tx, orgId);
  const old = planDerivations(blueprints.map((blueprint) => (blueprint.key === before.key ? before : blueprint)));
  const differing = [...plans.nodes.values()].filter((node) => isDifferent(node, old.nodes.get(node.id)));
  const names = plans.byBlueprint.get(before.key)?.nodes.map((node) => node.key) ?? [];
  const gone = listDerivedKeys(before).filter((key) => !names.includes(key));
  await computeEverywhere(
    work,
    plans,
    differing,
    gone.length > 0 ? { blueprintKey: before.key, names: gone } : undefined,
  );
}

/**
 * Follows a renamed key. Values change only for calculations that read which keys exist. The caller holds the lock of
 * the plans.
 */
export async function followRenamedKey(
  work: Work,
  { key: blueprintKey }: StoredBlueprint,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const { tx, actor } = work;
  await renameMarks(tx, actor.orgId, blueprintKey, { from, to });
  const plans = await loadPlans(tx, actor.orgId);
  const seeing = (plans.byBlueprint.get(blueprintKey)?.nodes ?? []).filter(
    (node) => node.kind === 'calculation' && (node.calculation.reads === 'all' || node.calculation.readsKeys),
  );
  await computeEverywhere(work, plans, seeing);
}

/** Recomputes values on all entities: here if few, otherwise by the job. */
async function computeEverywhere(
  work: Work,
  plans: LoadedPlans,
  nodes: readonly DerivedNode[],
  gone?: { readonly blueprintKey: number; readonly names: readonly string[] },
): Promise<void> {
  const { tx, actor } = work;
  const { orgId } = actor;
  const due = new Map<string, number[]>();
  let prune: number[] = [];
  let marked = 0;
  for (const { id, key, blueprint } of nodes) {
    const all = keysOfBlueprint(orgId, blueprint.key);
    const some = await someKeys(tx, all, inlineMax + 1);
    if (some.length <= inlineMax) due.set(id, some);
    else marked += await markSelected(tx, orgId, blueprint.key, all, [key]);
  }
  if (gone) {
    const holders = keysHolding(orgId, gone.blueprintKey, gone.names);
    const some = await someKeys(tx, holders, inlineMax + 1);
    if (some.length <= inlineMax) prune = some;
    else marked += await markSelected(tx, orgId, gone.blueprintKey, holders, ['*']);
  }
  if (due.size > 0 || prune.length > 0)
    await recomputeDerived(work, { entities: [], due, prune, isLocked: true, plans });
  if (marked > 0) await work.enqueue(refreshRequest, {});
}

/** A new value that is always null changes nothing: no value is the default. */
function isDifferent(node: DerivedNode, before: DerivedNode | undefined): boolean {
  return before === undefined ? node.kind !== 'void' : node.outline !== before.outline;
}
