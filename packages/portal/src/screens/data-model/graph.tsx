import '@xyflow/react/dist/base.css';
import { ActionIcon } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Handle, MarkerType, type NodeProps, Panel, Position, ReactFlow, useReactFlow } from '@xyflow/react';
import { Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import { useMemo } from 'react';
import { EntityIcon } from '../../parts/entity-icon.tsx';
import { blueprintAddress } from './addresses.ts';
import type { Blueprint } from './blueprint-draft.ts';
import classes from './data-model.module.css';
import { graphEdges, placeCards } from './graph-layout.ts';

const nodeTypes = { blueprint: Card };

/** Blueprints as cards, with an arrow per relation, solid if required. Loaded when first shown. */
export function Graph({ blueprints }: { blueprints: readonly Blueprint[] }) {
  const { nodes, edges } = useMemo(() => {
    const found = graphEdges(blueprints);
    const places = placeCards(blueprints, found);
    return {
      nodes: blueprints.map((blueprint) => ({
        id: blueprint.identifier,
        type: 'blueprint',
        position: places.get(blueprint.identifier) ?? { x: 0, y: 0 },
        data: { blueprint },
      })),
      edges: found.map(({ id, from, to, label, isRequired, isMany }) => ({
        id,
        source: from,
        target: to,
        label: isMany ? `${label} (many)` : label,
        style: { stroke: 'var(--border-strong)', ...(isRequired ? {} : { strokeDasharray: '5 4' }) },
        labelStyle: { fill: 'var(--muted)', fontSize: 11 },
        labelBgStyle: { fill: 'var(--sunken)' },
        markerEnd: { type: MarkerType.ArrowClosed, color: 'var(--border-strong)' },
      })),
    };
  }, [blueprints]);
  return (
    <>
      <section className={classes.canvas} aria-label="Graph of blueprints. The list has the same and more.">
        <ReactFlow
          key={blueprints.map(({ identifier }) => identifier).join('\n')}
          defaultNodes={nodes}
          defaultEdges={edges}
          nodeTypes={nodeTypes}
          fitView
          // smaller cards can be neither read nor clicked
          fitViewOptions={{ minZoom: 0.7, maxZoom: 1 }}
          minZoom={0.1}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          deleteKeyCode={null}
          proOptions={{ hideAttribution: true }}
        >
          <ZoomButtons />
        </ReactFlow>
      </section>
      <p className={classes.detail}>Solid arrows are required relations, dashed ones are optional.</p>
    </>
  );
}

function ZoomButtons() {
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  const buttons = [
    { label: 'Zoom in', icon: ZoomIn, run: () => zoomIn() },
    { label: 'Zoom out', icon: ZoomOut, run: () => zoomOut() },
    { label: 'Show all', icon: Maximize, run: () => fitView() },
  ];
  return (
    <Panel position="bottom-left">
      <ActionIcon.Group orientation="vertical">
        {buttons.map(({ label, icon: Icon, run }) => (
          <ActionIcon key={label} variant="default" size="lg" aria-label={label} onClick={() => void run()}>
            <Icon size={16} aria-hidden="true" />
          </ActionIcon>
        ))}
      </ActionIcon.Group>
    </Panel>
  );
}

function Card({ data }: NodeProps) {
  const { identifier, title, icon, ownership, schema } = (data as { blueprint: Blueprint }).blueprint;
  const count = Object.keys(schema.properties).length;
  return (
    <Link {...blueprintAddress(identifier)} className={classes.card} title={identifier}>
      <Handle type="target" position={Position.Left} className={classes.handle ?? ''} isConnectable={false} />
      <EntityIcon name={icon} size={20} />
      <div className={classes.cardText}>
        <strong dir="auto">{title}</strong>
        <span className={classes.detail}>
          {count} {count === 1 ? 'property' : 'properties'}
          {ownership ? ` · ${ownership.type === 'Direct' ? 'direct' : 'inherited'}` : ''}
        </span>
      </div>
      <Handle type="source" position={Position.Right} className={classes.handle ?? ''} isConnectable={false} />
    </Link>
  );
}
