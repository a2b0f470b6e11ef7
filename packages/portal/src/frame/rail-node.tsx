import { Link } from '@tanstack/react-router';
import { ChevronDown, Folder } from 'lucide-react';
import type { ReactNode } from 'react';
import { EntityIcon } from '../parts/entity-icon.tsx';
import { destinations } from './areas.ts';
import classes from './frame.module.css';
import type { LinkTarget } from './link-target.ts';
import type { RailNode } from './rail-tree.ts';

/** Puts what can be done with an entry around what shows it. */
export type WrapEntry = (item: RailNode['item'], entry: ReactNode) => ReactNode;

/** Pages and folders as people arranged them. */
export function RailNodes({
  nodes,
  onGo,
  around = (_item, entry) => entry,
}: {
  nodes: readonly RailNode[];
  onGo?: (() => void) | undefined;
  around?: WrapEntry | undefined;
}) {
  return nodes.map((node) => (
    <Node key={`${node.item.sidebarType} ${node.item.identifier}`} node={node} onGo={onGo} around={around} />
  ));
}

function Node({
  node: { item, children },
  onGo,
  around,
}: {
  node: RailNode;
  onGo: (() => void) | undefined;
  around: WrapEntry;
}) {
  if (item.sidebarType === 'page') {
    return around(
      item,
      <RailLink
        target={{ to: '/catalog/$page', params: { page: item.identifier } }}
        label={item.title ?? item.identifier}
        icon={<EntityIcon name={item.icon} />}
        onGo={onGo}
      />,
    );
  }
  return around(
    item,
    <details open className={classes.folder}>
      <summary className={classes.railLink}>
        <Folder size={16} aria-hidden="true" />
        <span className={classes.railLabel}>{item.title ?? item.identifier}</span>
        <ChevronDown size={14} className={classes.chevron} aria-hidden="true" />
      </summary>
      <div className={classes.inFolder}>
        <RailNodes nodes={children} onGo={onGo} around={around} />
      </div>
    </details>,
  );
}

/** A line of the rail that leads somewhere. */
export function RailLink({
  target,
  label,
  icon,
  onGo,
}: {
  target: LinkTarget;
  label: string;
  icon: React.ReactNode;
  onGo?: (() => void) | undefined;
}) {
  return (
    <Link
      {...target}
      className={classes.railLink}
      // an address that others begin with is only itself
      activeOptions={{ exact: target.to === '/' || destinations.some(({ to }) => to.startsWith(`${target.to}/`)) }}
      {...(onGo ? { onClick: onGo } : {})}
      title={label}
    >
      {icon}
      <span className={classes.railLabel}>{label}</span>
    </Link>
  );
}
