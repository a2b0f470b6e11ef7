import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { hasNoCookie, keepSession, sessionKey, sessionOptions } from '../api/session.ts';
import { NotFound } from '../parts/not-found.tsx';
import { screens } from './areas.ts';
import { Crash } from './crash.tsx';
import { Frame } from './frame.tsx';

interface RouterContext {
  readonly queries: QueryClient;
}

const root = createRootRouteWithContext<RouterContext>()({ component: Outlet, notFoundComponent: NotFound });

type Search = Readonly<Record<string, unknown>>;

function keepAssistant({ search, next }: { search: Search; next: (search: Search) => Search }): Search {
  const after = next(search);
  const { panel } = search;
  if ('panel' in after || typeof panel !== 'string' || !panel.startsWith('assistant~')) return after;
  return { ...after, panel };
}

/** Everything below it is for people who are signed in; others are asked to, and come back. */
const frame = createRoute({
  getParentRoute: () => root,
  id: 'frame',
  component: Frame,
  // a conversation stays beside the screens that its links lead to
  search: { middlewares: [keepAssistant] },
  beforeLoad: async ({ context, location }) => {
    if (hasNoCookie()) context.queries.setQueryData(sessionKey, keepSession(null));
    const session = await context.queries.ensureQueryData(sessionOptions);
    if (!session) throw redirect({ to: '/sign-in', search: { return_to: location.href }, replace: true });
  },
});

const routes = screens.map(({ path, title, load, layout }) => ({
  isBare: layout === 'bare',
  route: createRoute({
    getParentRoute: () => (layout === 'bare' ? root : frame),
    path,
    component: lazyRouteComponent(load, 'Screen'),
    head: () => ({ meta: [{ title }] }),
    staticData: { title },
  } as never),
}));
const unknown = createRoute({
  getParentRoute: () => frame,
  path: '$',
  component: NotFound,
  staticData: { title: 'Not found' },
});

/** The router over every declared screen. */
export function createPortalRouter(queries: QueryClient) {
  return createRouter({
    routeTree: root.addChildren([
      frame.addChildren([...routes.filter(({ isBare }) => !isBare).map(({ route }) => route), unknown]),
      ...routes.filter(({ isBare }) => isBare).map(({ route }) => route),
    ]),
    context: { queries },
    defaultPreload: 'intent',
    defaultErrorComponent: ({ error, reset }) => <Crash error={error} onRetry={reset} />,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    title?: string;
  }
}
