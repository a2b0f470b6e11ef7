import { Link } from '@tanstack/react-router';
import { ChevronDown, Folder } from 'lucide-react';
import type { ReactNode } from 'react';
import { EntityIcon } from '../parts/entity-icon.tsx';
import { destinations } from './areas.ts';
import classes from './frame.module.css';
import type { LinkTarget } from './link-target.ts';
import type { RailNode } from './rail-tree.ts';

/** Wraps a rail entry with its menu and drag handles. */
export type WrapEntry = (item: RailNode['item'], entry: ReactNode) => ReactNode;

/** Pages and folders in the order of the side bar. */
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
      <summary className={classes.railLink} data-item tabIndex={-1}>
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

/** An entry of the rail. */
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
      data-item
      tabIndex={-1}
      // `/`, and an address that is the prefix of another destination, match only exactly
      activeOptions={{ exact: target.to === '/' || destinations.some(({ to }) => to.startsWith(`${target.to}/`)) }}
      {...(onGo ? { onClick: onGo } : {})}
      activeProps={{ 'data-first': true }}
      title={label}
    >
      {icon}
      <span className={classes.railLabel}>{label}</span>
    </Link>
  );
}
