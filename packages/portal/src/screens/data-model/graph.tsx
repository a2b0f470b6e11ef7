import '@xyflow/react/dist/base.css';
import { Link } from '@tanstack/react-router';
import { Background, Controls, Handle, MarkerType, type NodeProps, Position, ReactFlow } from '@xyflow/react';
import { useMemo } from 'react';
import { EntityIcon } from '../../parts/entity-icon.tsx';
import { blueprintAddress } from './addresses.ts';
import type { Blueprint } from './blueprint-draft.ts';
import classes from './data-model.module.css';
import { graphEdges, placeCards } from './graph-layout.ts';

const nodeTypes = { blueprint: Card };

/** The blueprints as cards with arrows along their relations; solid arrows are required ones. Loaded when first shown. */
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
          minZoom={0.1}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          deleteKeyCode={null}
        >
          <Background color="var(--border)" />
          <Controls showInteractive={false} />
        </ReactFlow>
      </section>
      <p className={classes.detail}>Solid arrows are required relations, dashed ones are optional.</p>
    </>
  );
}

function Card({ data }: NodeProps) {
  const { identifier, title, icon, ownership, schema } = (data as { blueprint: Blueprint }).blueprint;
  const count = Object.keys(schema.properties).length;
  return (
    <div className={classes.card}>
      <Handle type="target" position={Position.Left} className={classes.handle ?? ''} isConnectable={false} />
      <EntityIcon name={icon} size={20} />
      <div className={classes.cardText}>
        <Link to={blueprintAddress(identifier)} dir="auto" title={identifier}>
          {title}
        </Link>
        <span className={classes.detail}>
          {count} {count === 1 ? 'property' : 'properties'}
          {ownership ? ` · ${ownership.type === 'Direct' ? 'direct' : 'inherited'}` : ''}
        </span>
      </div>
      <Handle type="source" position={Position.Right} className={classes.handle ?? ''} isConnectable={false} />
    </div>
  );
}
