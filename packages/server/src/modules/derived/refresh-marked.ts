import { groupBy } from '../../platform/collections.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { nodeId } from './derivation-plan.ts';
import { holdPlans, listMarks, listThere, lockFree, lockGroup, removeMarks } from './derived.store.ts';
import { loadPlans } from './load-plans.ts';
import { recomputeDerived } from './recompute-derived.ts';

/** Values per transaction of the job: the longest wait for others. */
const batchSize = 500;

/**
 * Computes the marked values of the next entities in order and removes their marks. Entities being written keep theirs.
 * Returns the start of the next batch, undefined at the end, and how many it skipped.
 */
export async function refreshMarked(
  work: Work,
  afterKey: number,
): Promise<{ readonly next: number | undefined; readonly left: number }> {
  const { tx, actor } = work;
  const { orgId } = actor;
  const listed = await listMarks(tx, orgId, afterKey, batchSize);
  const keys = [...new Set(listed.map(({ entityKey }) => entityKey))].sort((a, b) => a - b);
  const next = keys.at(-1);
  // rows before locks, as everywhere
  const free = await lockFree(tx, orgId, keys);
  const there = new Set(await listThere(tx, orgId, keys));
  holdPlans(tx, orgId);
  const plans = await loadPlans(tx, orgId);
  const groups = [...new Set(listed.map(({ blueprintKey }) => plans.groupOf(blueprintKey)))].sort((a, b) => a - b);
  for (const group of groups) lockGroup(tx, orgId, group);
  const held = new Set(free.map(({ key }) => key));
  const taken = await removeMarks(
    tx,
    orgId,
    keys.filter((key) => held.has(key) || !there.has(key)),
  );
  const due = new Map<string, number[]>();
  const prune = new Set<number>();
  for (const [blueprintKey, marks] of groupBy(taken, (mark) => mark.blueprintKey)) {
    for (const { entityKey, name } of marks) {
      if (!held.has(entityKey)) continue;
      const nodes = plans.byBlueprint.get(blueprintKey)?.nodes ?? [];
      if (name === '*') prune.add(entityKey);
      const names = name === '*' ? nodes.map((node) => node.key) : [name];
      for (const each of names) {
        const id = nodeId(blueprintKey, each);
        due.set(id, [...(due.get(id) ?? []), entityKey]);
      }
    }
  }
  const entities = free.map((entity) => {
    const { blueprintKey, key } = entity;
    return { blueprintKey, key, names: new Set<string>(), entity };
  });
  await recomputeDerived(work, { entities, due, prune: [...prune], isLocked: true, plans, isJob: true });
  return { next, left: keys.filter((key) => there.has(key) && !held.has(key)).length };
}
