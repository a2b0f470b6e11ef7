import type { ChangedEntity } from './changes.ts';
import type { DueNode } from './due-node.ts';
import type { LoadedPlans } from './load-plans.ts';

/** Values to compute: entities by node. */
export interface RecomputeQueue {
  add(nodeId: string, keys: Iterable<number>): void;
  /**
   * Adds what changed entities compute of themselves: everything if new, otherwise calculations that read the changes.
   */
  addOwn(entity: Pick<ChangedEntity, 'blueprintKey' | 'key' | 'names'>): void;
  /** Takes everything of the lowest rank, which the rest cannot change any more. */
  take(): DueNode[];
}

export function createRecomputeQueue(plans: LoadedPlans): RecomputeQueue {
  const due = new Map<string, Set<number>>();
  const add = (nodeId: string, keys: Iterable<number>): void => {
    const set = due.get(nodeId) ?? new Set();
    for (const key of keys) set.add(key);
    if (set.size > 0) due.set(nodeId, set);
  };
  return {
    add,
    addOwn({ blueprintKey, key, names }) {
      for (const node of plans.byBlueprint.get(blueprintKey)?.nodes ?? []) {
        if (names === 'new') {
          if (node.kind !== 'void') add(node.id, [key]);
        } else if (node.kind === 'calculation' && isRead(node.calculation.reads, names)) add(node.id, [key]);
      }
    },
    take() {
      const taken = [...due].flatMap(([id, keys]) => {
        const node = plans.nodes.get(id);
        return node ? [{ node, keys }] : [];
      });
      const rank = Math.min(...taken.map(({ node }) => node.rank));
      const lowest = taken.filter(({ node }) => node.rank === rank);
      if (lowest.length === 0) due.clear();
      for (const { node } of lowest) due.delete(node.id);
      return lowest;
    },
  };
}

function isRead(reads: ReadonlySet<string> | 'all', names: ReadonlySet<string>): boolean {
  if (reads === 'all') return true;
  for (const name of names) if (reads.has(name)) return true;
  return false;
}
