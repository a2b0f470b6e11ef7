import type { DerivedNode } from './derived-node.ts';
import { teamHop } from './relation-path.ts';

/**
 * Ids of the computed values a node reads; missing ones do not matter. Reading which keys exist depends on the
 * blueprint alone, so it makes no cycle.
 */
export function listDependencies(node: DerivedNode): string[] {
  const at = (blueprintKey: number, key: string) => `${blueprintKey}/${key}`;
  if (node.kind === 'void') return [];
  if (node.kind === 'calculation') {
    const { mirrorProperties, aggregationProperties } = node.blueprint.definition;
    const names = [...Object.keys(mirrorProperties ?? {}), ...Object.keys(aggregationProperties ?? {}), teamHop];
    const { reads } = node.calculation;
    return names.filter((name) => reads === 'all' || reads.has(name)).map((name) => at(node.blueprint.key, name));
  }
  const { route } = node;
  const owned = (route.kind === 'path' ? route.steps : [])
    .filter(({ relation }) => relation === teamHop)
    .map(({ direction, from, to }) => at(direction === 'out' ? from : to, teamHop));
  return [...owned, ...[...node.endReads].map((name) => at(route.end.key, name))];
}

/** Values that read themselves through any number of others (Tarjan's strongly connected components). */
export function findCycles(nodes: readonly DerivedNode[]): ReadonlySet<string> {
  const dependencies = new Map(nodes.map((node) => [node.id, listDependencies(node)]));
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const cyclic = new Set<string>();
  const visit = (id: string): void => {
    order.set(id, order.size);
    low.set(id, order.get(id) as number);
    stack.push(id);
    for (const next of dependencies.get(id) ?? []) {
      if (!dependencies.has(next)) continue;
      if (next === id) cyclic.add(id);
      if (!order.has(next)) {
        visit(next);
        low.set(id, Math.min(low.get(id) as number, low.get(next) as number));
      } else if (stack.includes(next)) {
        low.set(id, Math.min(low.get(id) as number, order.get(next) as number));
      }
    }
    if (low.get(id) !== order.get(id)) return;
    const component = stack.splice(stack.indexOf(id));
    if (component.length > 1) for (const each of component) cyclic.add(each);
  };
  for (const { id } of nodes) if (!order.has(id)) visit(id);
  return cyclic;
}

/**
 * A rank for each value, above those it reads. Cycles must have been removed, except among calculations, which do not
 * read each other.
 */
export function rankNodes(nodes: readonly DerivedNode[]): ReadonlyMap<string, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const ranks = new Map<string, number>();
  const rankOf = (id: string): number => {
    const known = ranks.get(id);
    const node = byId.get(id);
    if (known !== undefined || !node) return known ?? 0;
    const rank = 1 + Math.max(0, ...listDependencies(node).map(rankOf));
    ranks.set(id, rank);
    return rank;
  };
  for (const { id } of nodes) rankOf(id);
  return ranks;
}
