import { CatchBoundary, deepEqual, Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import {
  Activity,
  type ComponentType,
  memo,
  type RefObject,
  Suspense,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import { Crash } from './crash.tsx';
import { type Place, ScreenPlace } from './screen-place.ts';

/** Screens that stay as they were left, the shown one among them. */
const keptMax = 5;

/**
 * The screen of the address. Screens that declare `stays` are kept when they are left: their elements leave the page and
 * their effects end, so that they cost nothing and nobody finds them there. Who comes back sees them at once, with what
 * was scrolled and opened, and whatever changed meanwhile is read again as on any screen.
 */
export function Screens() {
  const { options, routesById } = useRouter();
  const shown = useShownPlace();
  const [before, setKept] = useState<readonly Place[]>([]);
  if (!shown) return <Outlet />;
  const kept = shown.stays ? keep(before, shown) : before;
  if (kept !== before) setKept(kept);
  return (
    <>
      {kept.map((place) => (
        <Activity key={place.pathname} mode={place.pathname === shown.pathname ? 'visible' : 'hidden'}>
          <KeptScreen
            place={place}
            Screen={(routesById as Routes)[place.routeId]?.options.component ?? options.defaultComponent ?? Outlet}
          />
        </Activity>
      ))}
      {!shown.stays && (
        <ScreenPlace value={shown}>
          <Outlet />
        </ScreenPlace>
      )}
    </>
  );
}

/** The place of the screen that is shown; the same as long as its address says the same. */
function useShownPlace(): Place | undefined {
  const match = useRouterState({ select: ({ matches }) => matches.at(-1) });
  const { routeId, pathname, params, search, staticData } = match ?? {};
  return useMemo(() => {
    if (routeId === undefined || pathname === undefined) return undefined;
    return { routeId, pathname, params: { ...params }, search: { ...search }, stays: staticData?.stays === true };
  }, [routeId, pathname, params, search, staticData]);
}

type Routes = Readonly<Record<string, { readonly options: { readonly component?: ComponentType } } | undefined>>;

/** What is shown comes last, and what was shown longest ago goes; the same list if nothing changes. */
function keep(kept: readonly Place[], shown: Place): readonly Place[] {
  const before = kept.find(({ pathname }) => pathname === shown.pathname);
  // a screen whose address says what it said is not drawn again
  const place = before && deepEqual(before, shown) ? before : shown;
  if (kept.at(-1) === place) return kept;
  return [...kept.filter((each) => each !== before), place].slice(-keptMax);
}

/** A screen in a box of its own, which is part of the page only while the screen is shown. */
const KeptScreen = memo(function KeptScreen({ place, Screen }: { place: Place; Screen: ComponentType }) {
  const anchor = useRef<HTMLDivElement>(null);
  const [box] = useState(() => withoutBox(document.createElement('div')));
  return (
    <>
      <div ref={anchor} style={{ display: 'contents' }} />
      <Placed box={box} anchor={anchor} />
      {createPortal(
        <ScreenPlace value={place}>
          <CatchBoundary
            getResetKey={() => place.pathname}
            errorComponent={({ error, reset }) => <Crash error={error} onRetry={reset} />}
          >
            <Suspense fallback={null}>
              <Screen />
            </Suspense>
          </CatchBoundary>
        </ScreenPlace>,
        box,
      )}
    </>
  );
});

/** Puts the box in its place before the effects of the screen look at it, with what was scrolled where it was. */
function Placed({ box, anchor }: { box: HTMLDivElement; anchor: RefObject<HTMLDivElement | null> }) {
  const scrolled = useRef(new Map<Element, { readonly top: number; readonly left: number }>());
  useLayoutEffect(() => {
    const note = ({ target }: Event): void => {
      if (!(target instanceof Element)) return;
      scrolled.current.set(target, { top: target.scrollTop, left: target.scrollLeft });
    };
    anchor.current?.append(box);
    for (const [element, offset] of scrolled.current) {
      if (box.contains(element)) element.scrollTo(offset);
      else scrolled.current.delete(element);
    }
    // scrolling does not bubble
    box.addEventListener('scroll', note, { capture: true, passive: true });
    return () => {
      box.removeEventListener('scroll', note, { capture: true });
      box.remove();
    };
  }, [box, anchor]);
  return null;
}

function withoutBox(element: HTMLDivElement): HTMLDivElement {
  element.style.display = 'contents';
  return element;
}
