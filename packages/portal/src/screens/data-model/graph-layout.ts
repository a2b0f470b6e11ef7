import { graphlib, layout } from '@dagrejs/dagre';
import type { Blueprint } from './blueprint-draft.ts';

const cardSize = { width: 220, height: 64 };

export interface GraphEdge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly label: string;
  readonly isRequired: boolean;
  readonly isMany: boolean;
}

/** The relations as edges; several between the same two blueprints become one edge with all names. */
export function graphEdges(blueprints: readonly Blueprint[]): readonly GraphEdge[] {
  const known = new Set(blueprints.map(({ identifier }) => identifier));
  const edges = new Map<string, GraphEdge>();
  for (const { identifier, relations } of blueprints) {
    for (const [key, { target, title, required, many }] of Object.entries(relations)) {
      if (!known.has(target)) continue;
      const id = `${identifier}\n${target}`;
      const before = edges.get(id);
      edges.set(id, {
        id,
        from: identifier,
        to: target,
        label: before ? `${before.label}, ${title ?? key}` : (title ?? key),
        isRequired: required || (before?.isRequired ?? false),
        isMany: many || (before?.isMany ?? false),
      });
    }
  }
  return [...edges.values()];
}

/** Positions of the cards: layers from left to right, along the relations. */
export function placeCards(
  blueprints: readonly Blueprint[],
  edges: readonly GraphEdge[],
): ReadonlyMap<string, { readonly x: number; readonly y: number }> {
  const graph = new graphlib.Graph({ multigraph: false });
  graph.setGraph({ rankdir: 'LR', nodesep: 24, ranksep: 120 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { identifier } of blueprints) graph.setNode(identifier, { ...cardSize });
  for (const { from, to } of edges) if (from !== to) graph.setEdge(from, to);
  layout(graph);
  return new Map(
    blueprints.map(({ identifier }) => {
      const { x, y } = graph.node(identifier);
      return [identifier, { x: x - cardSize.width / 2, y: y - cardSize.height / 2 }];
    }),
  );
}
