import { graphlib, layout } from '@dagrejs/dagre';
import type { Layout, LayoutRequest } from './layout.ts';

const labelHeight = 18;
/** From here on the thorough ranking takes several times as long as this one. */
const simpleRankingFrom = 40;

/** Places cards in layers along their connections; several hundred take long enough for a worker. */
export function placeCards({ nodes, edges, direction = 'LR' }: LayoutRequest): Layout {
  const graph = new graphlib.Graph({ multigraph: true });
  graph.setGraph({
    rankdir: direction,
    nodesep: 16,
    ranksep: 64,
    ...(nodes.length > simpleRankingFrom ? { ranker: 'longest-path' } : {}),
  });
  for (const { id, width, height } of nodes) graph.setNode(id, { width, height });
  for (const [index, { from, to, labelWidth }] of edges.entries()) {
    const label = labelWidth > 0 ? { width: labelWidth, height: labelHeight, labelpos: 'c' } : {};
    graph.setEdge(from, to, label, String(index));
  }
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  const places = nodes.map(({ id, width: across, height: down }) => {
    const { x, y } = graph.node(id) as { x: number; y: number };
    return [id, { x: x - across / 2, y: y - down / 2 }] as const;
  });
  const routes = edges.map(
    ({ from, to }, index) => (graph.edge(from, to, String(index)) as { points: Layout['routes'][number] }).points,
  );
  return { width, height, places: Object.fromEntries(places), routes };
}
