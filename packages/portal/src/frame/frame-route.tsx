import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  Outlet,
  redirect,
  type SearchMiddleware,
} from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { keepSession, sessionKey, sessionOptions } from '../api/session.ts';
import { hasNoCookie } from '../api/session-cookie.ts';
import { NotFound } from '../kit/not-found.tsx';
import { takeBootstrap } from './bootstrap.ts';
import { Frame } from './frame.tsx';
import { search, text } from './search.ts';

interface RouterContext {
  readonly queries: QueryClient;
}

/** Parent route of the screens that need no session. */
export const root = createRootRouteWithContext<RouterContext>()({ component: Outlet, notFoundComponent: NotFound });

/** Keeps an open assistant panel when the user follows a link to another screen. */
const keepAssistant: SearchMiddleware<{ panel?: string | undefined }> = ({ search: before, next }) => {
  const after = next(before);
  const { panel } = before;
  if ('panel' in after || typeof panel !== 'string' || !panel.startsWith('assistant~')) return after;
  return { ...after, panel };
};

interface Entry {
  readonly context: RouterContext;
  readonly location: { readonly href: string };
}

async function requireSession({ context: { queries }, location }: Entry): Promise<void> {
  if (hasNoCookie()) queries.setQueryData(sessionKey, keepSession(null));
  const [session] = await Promise.all([queries.ensureQueryData(sessionOptions), takeBootstrap(queries)]);
  if (!session) throw redirect({ to: '/sign-in', search: { return_to: location.href }, replace: true });
}

/** Parent route of all other screens: redirects to the sign-in, which leads back. */
export const frame = createRoute({
  getParentRoute: () => root,
  id: 'frame',
  component: Frame,
  validateSearch: search({ panel: text }),
  search: { middlewares: [keepAssistant] },
  beforeLoad: requireSession,
});

/**
 * A lazily loaded screen; `title` names the browser tab until the screen sets its own, and what `stays` is kept when it
 * is left. `load` is loosely typed, since
 * the type of a screen may depend on the routes.
 */
export function screen(title: string, load: () => Promise<{ readonly Screen: () => void }>, { stays = false } = {}) {
  const component = lazyRouteComponent(load as () => Promise<{ Screen: ComponentType }>, 'Screen');
  return { component, head: () => ({ meta: [{ title }] }), staticData: { title, stays } };
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    title?: string;
    /** Whether the screen is kept when it is left, as it was. Not for forms: what was sent would be in them again. */
    stays?: boolean;
  }
}
