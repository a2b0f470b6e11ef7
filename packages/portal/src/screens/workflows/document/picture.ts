import type { LayoutRequest } from '../../../parts/graph/layout.ts';
import { type Connection, type Definition, findNode } from './definition.ts';

export const cardWidth = 216;
export const cardHeight = 56;

/** What the canvas draws: every node, and every connection between nodes that exist. */
export interface Picture {
  readonly connections: readonly Connection[];
  readonly request: LayoutRequest;
}

export function picture(definition: Definition): Picture {
  const { nodes } = definition;
  const connections = definition.connections.filter(
    (each) => findNode(definition, each.sourceIdentifier) && findNode(definition, each.targetIdentifier),
  );
  return {
    connections,
    request: {
      direction: 'TB',
      nodes: nodes.map(({ identifier }) => ({ id: identifier, width: cardWidth, height: cardHeight })),
      edges: connections.map(({ sourceIdentifier, targetIdentifier, sourceOutletIdentifier, fallback }) => ({
        from: sourceIdentifier,
        to: targetIdentifier,
        labelWidth: sourceOutletIdentifier || fallback ? 96 : 0,
      })),
    },
  };
}
