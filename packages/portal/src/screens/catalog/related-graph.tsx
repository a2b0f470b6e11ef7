import '@xyflow/react/dist/style.css';
import dagre from '@dagrejs/dagre';
import { Text, useComputedColorScheme } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  ControlButton,
  Controls,
  type Edge,
  Handle,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  useReactFlow,
} from '@xyflow/react';
import { Maximize, Minus, Plus } from 'lucide-react';
import { useMemo } from 'react';
import { call } from '../../api/api.ts';
import { ErrorState, TextSkeleton } from '../../kit/states.tsx';
import type { FieldEntity } from '../../parts/entities/fields.ts';
import { searchBody } from '../../parts/entities/use-entities.ts';
import { entityAddress } from '../../parts/entity-anchor.tsx';
import type { Connection } from './connections.ts';
import classes from './entity.module.css';

const shownEach = 12;
const size = { width: 200, height: 52 };

type EntityNode = Node<{ blueprint: string; identifier: string; title: string; isCentre: boolean }, 'entity'>;

/** The entity among its neighbours. The tables beside it are complete; the drawing is limited. */
export function RelatedGraph({
  connections,
  blueprint,
  entity,
}: {
  connections: readonly Connection[];
  blueprint: string;
  entity: FieldEntity;
}) {
  const scheme = useComputedColorScheme('light');
  const found = useQueries({
    queries: connections.map((connection) => ({
      queryKey: ['searchBlueprintEntities', 'neighbours', connection.blueprint, connection.query],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call('searchBlueprintEntities', {
          params: { blueprint_identifier: connection.blueprint },
          body: searchBody(
            { blueprint: connection.blueprint, query: connection.query, include: ['$title', '$identifier'] },
            shownEach + 1,
          ),
          signal,
        }),
    })),
  });
  const isPending = found.some((each) => each.isPending);
  const error = found.find((each) => each.error)?.error;
  const stamp = found.map(({ dataUpdatedAt }) => dataUpdatedAt).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answers are new at each drawing, their moments are not
  const { nodes, edges, leftOut } = useMemo(
    () =>
      drawn(
        connections,
        found.map(({ data }) => data?.entities ?? []),
        blueprint,
        entity,
      ),
    [connections, stamp, blueprint, entity],
  );
  if (error && nodes.length <= 1) return <ErrorState error={error} />;
  if (isPending) return <TextSkeleton lines={8} />;
  return (
    <>
      <section className={classes.graph} aria-label={`${entity.title || entity.identifier} among its neighbours`}>
        <ReactFlow
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          colorMode={scheme}
          fitView
          minZoom={0.2}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          proOptions={{ hideAttribution: true }}
        >
          <ZoomButtons />
        </ReactFlow>
      </section>
      <Text size="sm" c="dimmed">
        {nodes.length - 1} neighbours are drawn.
        {leftOut ? ' There are more than can be drawn; the tables hold all of them.' : ''}
      </Text>
    </>
  );
}

interface FoundEntity {
  readonly identifier?: string | undefined;
  readonly title?: string | null | undefined;
}

function drawn(
  connections: readonly Connection[],
  answers: readonly (readonly FoundEntity[])[],
  blueprint: string,
  entity: FieldEntity,
): { nodes: EntityNode[]; edges: Edge[]; leftOut: boolean } {
  const graph = new dagre.graphlib.Graph()
    .setGraph({ rankdir: 'LR', nodesep: 12, ranksep: 140 })
    .setDefaultEdgeLabel(() => ({}));
  const nodes = new Map<string, EntityNode>();
  const edges = new Map<string, Edge>();
  const add = (of: string, { identifier = '', title }: FoundEntity, isCentre = false) => {
    const id = `${of} ${identifier}`;
    if (nodes.has(id)) return id;
    nodes.set(id, {
      id,
      type: 'entity',
      position: { x: 0, y: 0 },
      data: { blueprint: of, identifier, title: title || identifier, isCentre },
    });
    graph.setNode(id, { ...size });
    return id;
  };
  const centre = add(blueprint, entity, true);
  connections.forEach((connection, index) => {
    for (const each of (answers[index] ?? []).slice(0, shownEach)) {
      const other = add(connection.blueprint, each);
      if (other === centre) continue;
      const [source, target] = connection.isOutward ? [centre, other] : [other, centre];
      edges.set(`${source} ${target} ${connection.label}`, {
        id: `${source} ${target} ${connection.label}`,
        source,
        target,
        label: connection.label,
      });
      graph.setEdge(source, target);
    }
  });
  dagre.layout(graph);
  for (const node of nodes.values()) {
    const { x, y } = graph.node(node.id) as { x: number; y: number };
    node.position = { x: x - size.width / 2, y: y - size.height / 2 };
  }
  return {
    nodes: [...nodes.values()],
    edges: [...edges.values()],
    leftOut: answers.some((each) => each.length > shownEach),
  };
}

function EntityCard({ data: { blueprint, identifier, title, isCentre } }: NodeProps<EntityNode>) {
  return (
    <Link
      {...entityAddress(blueprint, identifier)}
      className={`${classes.node} nodrag nopan`}
      data-centre={isCentre || undefined}
      title={identifier}
    >
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <span dir="auto">{title}</span>
      <small>{blueprint}</small>
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </Link>
  );
}

function ZoomButtons() {
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  return (
    <Controls showZoom={false} showFitView={false} showInteractive={false}>
      <ControlButton onClick={() => void zoomIn()} aria-label="Zoom in">
        <Plus aria-hidden="true" />
      </ControlButton>
      <ControlButton onClick={() => void zoomOut()} aria-label="Zoom out">
        <Minus aria-hidden="true" />
      </ControlButton>
      <ControlButton onClick={() => void fitView()} aria-label="Show all">
        <Maximize aria-hidden="true" />
      </ControlButton>
    </Controls>
  );
}

const nodeTypes = { entity: EntityCard };
