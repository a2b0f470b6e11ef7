import { isRouted } from './derivation-plan.ts';
import type { DerivedNode, RoutedNode } from './derived-node.ts';
import type { RelationPath } from './relation-path.ts';

/** Nodes with the same route, due for its starts after a change at this position. */
export interface DependentNodes {
  readonly route: RelationPath;
  /** The step of a path, or the direction of an open route. */
  readonly position: number | 'along' | 'against';
  readonly nodes: readonly RoutedNode[];
}

/**
 * Which nodes depend on a change, so that a value nobody reads causes no look-up. A route is watched near its start: a
 * step along a relation at the entity with the relation, a step against one at the entity it points at. Reading edges
 * after a change is then enough: of a route that appeared or vanished, the part before its first changed edge still
 * exists.
 */
export interface DependentsIndex {
  /** By blueprint and name; the changed entities are the position. */
  onValue(blueprintKey: number, name: string): readonly DependentNodes[];
  /** By blueprint and relation; the targets of changed edges are the position. */
  onEdge(blueprintKey: number, relation: string): readonly DependentNodes[];
}

export function indexDependents(nodes: Iterable<DerivedNode>): DependentsIndex {
  const values = new Map<string, Map<string, DependentNodes>>();
  const edges = new Map<string, Map<string, DependentNodes>>();
  const watch = (into: typeof values, place: string, node: RoutedNode, position: DependentNodes['position']): void => {
    const watches = into.get(place) ?? new Map<string, DependentNodes>();
    into.set(place, watches);
    const id = `${position}:${node.route.id}`;
    const nodesThere = watches.get(id)?.nodes ?? [];
    if (!nodesThere.includes(node)) watches.set(id, { route: node.route, position, nodes: [...nodesThere, node] });
  };
  for (const node of nodes) {
    if (!isRouted(node)) continue;
    const { route } = node;
    if (route.kind === 'path') {
      for (const [position, { relation, direction, from, to }] of route.steps.entries()) {
        if (direction === 'out') watch(values, placeKey(from, relation), node, position);
        else watch(edges, placeKey(to, relation), node, position);
      }
    } else {
      for (const edge of route.along) watch(values, placeKey(edge.blueprintKey, edge.relation), node, 'along');
      for (const edge of route.against) watch(edges, placeKey(edge.blueprintKey, edge.relation), node, 'against');
    }
    for (const name of node.endReads) {
      for (const position of listEnds(route)) watch(values, placeKey(route.end.key, name), node, position);
    }
  }
  const [onValue, onEdge] = [listed(values), listed(edges)];
  return {
    onValue: (blueprintKey, name) => onValue.get(placeKey(blueprintKey, name)) ?? none,
    onEdge: (blueprintKey, relation) => onEdge.get(placeKey(blueprintKey, relation)) ?? none,
  };
}

const none: readonly DependentNodes[] = [];

function listed(
  places: ReadonlyMap<string, ReadonlyMap<string, DependentNodes>>,
): ReadonlyMap<string, readonly DependentNodes[]> {
  return new Map([...places].map(([place, watches]) => [place, [...watches.values()]]));
}

function listEnds(route: RelationPath): DependentNodes['position'][] {
  if (route.kind === 'path') return [route.steps.length];
  return [
    ...(route.along.length > 0 ? (['along'] as const) : []),
    ...(route.against.length > 0 ? (['against'] as const) : []),
  ];
}

function placeKey(blueprintKey: number, name: string): string {
  return `${blueprintKey}/${name}`;
}
