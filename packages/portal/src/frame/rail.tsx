import { Skeleton, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ChevronDown, Folder } from 'lucide-react';
import { useRead } from '../api/query.ts';
import { useSession } from '../api/session.ts';
import { EntityIcon } from '../parts/entity-icon.tsx';
import { destinations } from './areas.ts';
import classes from './frame.module.css';
import { type RailNode, railTree } from './rail-tree.ts';

/** The pages of the catalog as people arranged them, and the screens of AI and Builder. */
export function Rail() {
  return (
    <nav className={classes.rail} aria-label="Pages">
      <RailBody />
    </nav>
  );
}

/** What the rail holds; `withMain` where there is no top bar beside it. */
export function RailBody({ onGo, withMain }: { onGo?: () => void; withMain?: boolean }) {
  const { data, isPending, isError, refetch } = useRead('getSidebar');
  return (
    <Stack gap={2}>
      {withMain && <Destinations where="main" onGo={onGo} />}
      <Heading>Catalog</Heading>
      {isPending && <Skeletons />}
      {isError && (
        <button type="button" className={classes.railRetry} onClick={() => void refetch()}>
          The pages could not be read. Try again
        </button>
      )}
      {data && railTree(data.sidebar.items).map((node) => <Node key={node.item.identifier} node={node} onGo={onGo} />)}
      {data?.sidebar.items.length === 0 && (
        <Text size="sm" c="dimmed" px="xs">
          Pages appear here with the first blueprint.
        </Text>
      )}
      <Destinations where="ai" heading="AI" onGo={onGo} />
      <Destinations where="builder" heading="Builder" onGo={onGo} />
    </Stack>
  );
}

function Destinations({
  where,
  heading,
  onGo,
}: {
  where: 'main' | 'ai' | 'builder';
  heading?: string;
  onGo?: (() => void) | undefined;
}) {
  const session = useSession();
  const shown = destinations.filter((each) => each.where === where && (each.isFor?.(session) ?? true));
  if (shown.length === 0) return null;
  return (
    <>
      {heading && <Heading>{heading}</Heading>}
      {shown.map(({ to, label, icon: Icon }) => (
        <RailLink key={to} to={to} label={label} icon={<Icon size={16} aria-hidden="true" />} onGo={onGo} />
      ))}
    </>
  );
}

function Node({ node: { item, children }, onGo }: { node: RailNode; onGo?: (() => void) | undefined }) {
  if (item.sidebarType === 'page') {
    return (
      <RailLink
        to={`/catalog/${encodeURIComponent(item.identifier)}`}
        label={item.title ?? item.identifier}
        icon={<EntityIcon name={item.icon} />}
        onGo={onGo}
      />
    );
  }
  return (
    <details open className={classes.folder}>
      <summary className={classes.railLink}>
        <Folder size={16} aria-hidden="true" />
        <span className={classes.railLabel}>{item.title ?? item.identifier}</span>
        <ChevronDown size={14} className={classes.chevron} aria-hidden="true" />
      </summary>
      <div className={classes.inFolder}>
        {children.map((child) => (
          <Node key={child.item.identifier} node={child} onGo={onGo} />
        ))}
      </div>
    </details>
  );
}

function RailLink({
  to,
  label,
  icon,
  onGo,
}: {
  to: string;
  label: string;
  icon: React.ReactNode;
  onGo?: (() => void) | undefined;
}) {
  return (
    <Link
      to={to}
      className={classes.railLink}
      // an address that others begin with is only itself
      activeOptions={{ exact: to === '/' || destinations.some((other) => other.to.startsWith(`${to}/`)) }}
      {...(onGo ? { onClick: onGo } : {})}
      title={label}
    >
      {icon}
      <span className={classes.railLabel}>{label}</span>
    </Link>
  );
}

function Heading({ children }: { children: string }) {
  return <p className={classes.railHeading}>{children}</p>;
}

function Skeletons() {
  return (
    <Stack gap={8} p={8} aria-hidden="true">
      {[140, 110, 150, 96, 128].map((width) => (
        <Skeleton key={width} height={12} width={width} />
      ))}
    </Stack>
  );
}
