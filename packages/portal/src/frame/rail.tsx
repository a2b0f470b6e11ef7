import { Skeleton, Stack, Text } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useRef } from 'react';
import { useRead } from '../api/query.ts';
import { isAdmin, useSession } from '../api/session.ts';
import { t } from '../kit/translate.ts';
import type { Destination, RailArea } from './area.ts';
import classes from './frame.module.css';
import { builderRail, listEntries, useArea } from './rail-areas.ts';
import { RailFavorites } from './rail-favorites.tsx';
import { RailMoreTypes } from './rail-more-types.tsx';
import { RailLink, RailNodes } from './rail-node.tsx';
import { foldTypes, type RailNode, railTree } from './rail-tree.ts';
import { useRailKeys } from './use-rail-keys.ts';

const RailArranged = lazy(async () => ({ default: (await import('./rail-arranged.tsx')).RailArranged }));
const RailOwn = lazy(async () => ({ default: (await import('./rail-own.tsx')).RailOwn }));

const railNames: Readonly<Record<RailArea, string>> = { catalog: t('Pages'), ai: 'AI', builder: t('Builder') };

/** The rail of the area that the present screen belongs to: one tab stop, and arrow keys within. */
export function Rail() {
  const { rail } = useArea();
  const root = useRef<HTMLElement>(null);
  const onKeyDown = useRailKeys(root);
  return (
    <nav ref={root} className={classes.rail} aria-label={railNames[rail]} onKeyDown={onKeyDown}>
      <Stack gap={2}>
        <AreaRail area={rail} />
      </Stack>
    </nav>
  );
}

/** What the rail of an area holds. */
export function AreaRail({ area, onGo }: { area: RailArea; onGo?: (() => void) | undefined }) {
  const session = useSession();
  switch (area) {
    case 'catalog':
      return <CatalogRail onGo={onGo} />;
    case 'ai':
      return <Section title="AI" entries={listEntries(session, 'ai')} onGo={onGo} />;
    case 'builder':
      return builderRail(session).map(({ title, entries }) => (
        <Section key={title} title={title} entries={entries} onGo={onGo} />
      ));
  }
}

/** The favorites, and the pages as arranged in the side bar. */
function CatalogRail({ onGo }: { onGo: (() => void) | undefined }) {
  const session = useSession();
  const { data, isPending, isError, refetch } = useRead('getSidebar');
  return (
    <>
      <RailFavorites onGo={onGo} />
      <Heading>{t('Catalog')}</Heading>
      {isPending && <Skeletons />}
      {isError && (
        <button type="button" className={classes.railRetry} onClick={() => void refetch()}>
          {t('The pages could not be read. Try again')}
        </button>
      )}
      {data && <Pages items={data.sidebar.items} onGo={onGo} />}
      {data?.sidebar.items.length === 0 && (
        <Text size="sm" c="dimmed" px="xs">
          {t('Pages appear here with the first blueprint.')}
        </Text>
      )}
      <Entries entries={listEntries(session, 'catalog')} onGo={onGo} />
      <Suspense fallback={!isAdmin(session) && session.user && <div className={classes.railPlace} />}>
        <RailOwn onGo={onGo} />
      </Suspense>
    </>
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

interface EntriesProps {
  readonly entries: readonly Destination[];
  readonly onGo: (() => void) | undefined;
}

function Section({ title, ...entries }: EntriesProps & { title: string }) {
  return (
    <>
      <Heading>{title}</Heading>
      <Entries {...entries} />
    </>
  );
}

function Entries({ entries, onGo }: EntriesProps) {
  return entries.map(({ to, label, icon: Icon }) => (
    <RailLink key={to} target={{ to }} label={label} icon={<Icon size={16} aria-hidden="true" />} onGo={onGo} />
  ));
}

function Heading({ children }: { children: ReactNode }) {
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
