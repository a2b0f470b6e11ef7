import { Skeleton, Stack, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useRead } from '../api/query.ts';
import { isAdmin, useSession } from '../api/session.ts';
import { destinations } from './areas.ts';
import classes from './frame.module.css';
import { RailMoreTypes } from './rail-more-types.tsx';
import { RailLink, RailNodes } from './rail-node.tsx';
import { foldTypes, type RailNode, railTree } from './rail-tree.ts';

const RailArranged = lazy(async () => ({ default: (await import('./rail-arranged.tsx')).RailArranged }));
const RailOwn = lazy(async () => ({ default: (await import('./rail-own.tsx')).RailOwn }));

/** The catalog's pages as arranged in the side bar, and the screens of AI and Builder. */
export function Rail() {
  return (
    <nav className={classes.rail} aria-label="Pages">
      <RailBody />
    </nav>
  );
}

/** The content of the rail; `withMain` if there is no top bar beside it. */
export function RailBody({ onGo, withMain }: { onGo?: () => void; withMain?: boolean }) {
  const session = useSession();
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
      {data && <Pages items={data.sidebar.items} onGo={onGo} />}
      {data?.sidebar.items.length === 0 && (
        <Text size="sm" c="dimmed" px="xs">
          Pages appear here with the first blueprint.
        </Text>
      )}
      <Suspense fallback={!isAdmin(session) && session.user && <div className={classes.railPlace} />}>
        <RailOwn onGo={onGo} />
      </Suspense>
      <Destinations where="ai" heading="AI" onGo={onGo} />
      <Destinations where="builder" heading="Builder" onGo={onGo} />
    </Stack>
  );
}

/** The pages. For administrators the arranging tools load lazily, with the plain list as the fallback. */
function Pages({ items, onGo }: { items: readonly RailNode['item'][]; onGo?: (() => void) | undefined }) {
  const mayArrange = isAdmin(useSession());
  const { kept, folded } = foldTypes(railTree(items));
  const plain = (
    <>
      <RailNodes nodes={kept} onGo={onGo} />
      <RailMoreTypes nodes={folded}>{(shown) => <RailNodes nodes={shown} onGo={onGo} />}</RailMoreTypes>
    </>
  );
  if (!mayArrange) return plain;
  return (
    // the button to add a page has its place before it comes, so that nothing below it moves
    <Suspense
      fallback={
        <>
          {plain}
          <div className={classes.railPlace} />
        </>
      }
    >
      <RailArranged items={items} onGo={onGo} />
    </Suspense>
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
        <RailLink key={to} target={{ to }} label={label} icon={<Icon size={16} aria-hidden="true" />} onGo={onGo} />
      ))}
    </>
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
