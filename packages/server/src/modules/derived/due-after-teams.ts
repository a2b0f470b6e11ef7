import type { Work } from '../../platform/unit-of-work.ts';
import type { StoredBlueprint } from '../blueprints/index.ts';
import { planDerivations } from './derivation-plan.ts';
import { findLastKey, holdPlans, keysAfter, lockGroup, lockPlans, markSelected } from './derived.store.ts';
import type { DerivedNode } from './derived-node.ts';
import { loadPlans } from './load-plans.ts';
import { refreshRequest } from './refresh-request.ts';

/** Values to recompute on every entity of a blueprint. */
export interface DueValues {
  readonly blueprintKey: number;
  readonly names: readonly string[];
}

/**
 * What to recompute once teams are shown differently and blueprints are as `after`: values that read teams, and values
 * whose route changed. Teams themselves stay, unless another path decides them.
 */
export function dueAfterTeams(before: readonly StoredBlueprint[], after: readonly StoredBlueprint[]): DueValues[] {
  const old = planDerivations(before);
  const plans = planDerivations(after);
  return [...plans.byBlueprint.values()].flatMap(({ blueprint, nodes }) => {
    const names = nodes
      .filter((node) => readsTeams(node) || isElsewhere(node, old.nodes.get(node.id)))
      .map(({ key }) => key);
    return names.length > 0 ? [{ blueprintKey: blueprint.key, names }] : [];
  });
}

function readsTeams(node: DerivedNode): boolean {
  switch (node.kind) {
    case 'calculation':
      return node.calculation.reads === 'all' || node.calculation.reads.has('$team');
    case 'mirror':
      return node.source === '$team';
    case 'aggregation':
      return node.spec.reads.has('$team');
    default:
      return false;
  }
}

/** Own teams that used to be inherited equal what was inherited. */
function isElsewhere(node: DerivedNode, before: DerivedNode | undefined): boolean {
  if (node.kind === 'void') return !node.isOwnTeams && before?.kind !== 'void';
  return before === undefined || before.outline !== node.outline;
}

/** Marks values of a blueprint after `afterKey`; returns the last key, undefined at the end. */
export async function markDue(
  work: Work,
  { blueprintKey, names }: DueValues,
  { afterKey, limit }: { readonly afterKey: number; readonly limit: number },
): Promise<number | undefined> {
  const { tx, actor } = work;
  const { orgId } = actor;
  holdPlans(tx, orgId);
  const plans = await loadPlans(tx, orgId);
  const known = plans.byBlueprint.get(blueprintKey)?.nodes.map(({ key }) => key) ?? [];
  const left = names.filter((name) => known.includes(name));
  if (left.length === 0) return undefined;
  lockGroup(tx, orgId, plans.groupOf(blueprintKey));
  const some = keysAfter(orgId, blueprintKey, { afterKey, limit });
  const last = await findLastKey(tx, some);
  if (last === undefined) return undefined;
  await markSelected(tx, orgId, blueprintKey, some, left);
  await work.enqueue(refreshRequest, {});
  return last;
}

/** Blocks derivation in the organization for the transaction. Call it while rows of blueprints are locked. */
export const lockDerivation = lockPlans;
