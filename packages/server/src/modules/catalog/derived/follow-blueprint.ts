import sql from 'sql-template-tag';
import type { Work } from '../../../platform/unit-of-work.ts';
import { derivedKeysOf, listBlueprintRows, type StoredBlueprint } from '../../blueprints/index.ts';
import { type DerivedNode, planDerivations } from './derivation-plan.ts';
import { lockPlans, markSelected, someKeys } from './derived.store.ts';
import { loadPlans } from './load-plans.ts';
import { refreshRequest } from './refresh-request.ts';
import { settle } from './settle.ts';
import { inlineMax } from './spread.ts';

/**
 * A change of one blueprint changes what is derived on every blueprint whose routes pass it. What looks different than
 * before is computed anew on all entities: here where they are few, else by the job. Call it last, when all rows are
 * written: from here on nobody derives in the organization until the transaction ends.
 */
export async function followBlueprint(work: Work, before: StoredBlueprint): Promise<void> {
  const { tx, actor } = work;
  const { orgId } = actor;
  await lockPlans(tx, orgId);
  const plans = await loadPlans(tx, orgId);
  const blueprints = await listBlueprintRows(tx, orgId);
  const old = planDerivations(blueprints.map((blueprint) => (blueprint.key === before.key ? before : blueprint)));
  const due = new Map<string, number[]>();
  let isMarked = false;
  for (const node of plans.nodes.values()) {
    if (!isDifferent(node, old.nodes.get(node.id))) continue;
    const all = sql`select e.key from entities e where e.org_id = ${orgId} and e.blueprint_key = ${node.blueprint.key}`;
    const some = await someKeys(tx, all, inlineMax + 1);
    if (some.length <= inlineMax) due.set(node.id, some);
    else isMarked = (await markSelected(tx, orgId, node.blueprint.key, all, [node.key])) > 0 || isMarked;
  }
  const prune = await holdersOfGoneKeys();
  if (due.size > 0 || prune.length > 0) await settle(work, { entities: [], due, prune, isLocked: true, plans });
  if (isMarked) await work.enqueue(refreshRequest, {});

  async function holdersOfGoneKeys(): Promise<number[]> {
    const now = plans.byBlueprint.get(before.key)?.nodes.map((node) => node.key) ?? [];
    const gone = derivedKeysOf(before).filter((key) => !now.includes(key));
    if (gone.length === 0) return [];
    const holders = sql`select e.key from entities e
      where e.org_id = ${orgId} and e.blueprint_key = ${before.key} and e.derived ?| ${gone}::text[]`;
    const some = await someKeys(tx, holders, inlineMax + 1);
    if (some.length <= inlineMax) return some;
    isMarked = (await markSelected(tx, orgId, before.key, holders, ['*'])) > 0 || isMarked;
    return [];
  }
}

/** Of what was not there before, only what is something can differ: no value is what everybody has. */
function isDifferent(node: DerivedNode, before: DerivedNode | undefined): boolean {
  return before === undefined ? node.kind !== 'void' : node.outline !== before.outline;
}
