import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { act, render } from '@testing-library/react';
import type { ReactElement } from 'react';
import { createQueryClient } from '../src/api/query.ts';
import { sessionKey } from '../src/api/session.ts';
import { ConfirmProvider } from '../src/kit/confirm.tsx';
import { ToastProvider } from '../src/kit/toasts.tsx';
import { theme } from '../src/theme/theme.ts';

const admin = ['token', 'admin'] as const;

/**
 * Draws a part where the portal would: with its cache, its toasts and questions, and a router whose other screens are
 * empty. Whoever looks at it may call operations of these kinds.
 */
export async function draw(part: ReactElement, { access = admin }: { access?: readonly string[] } = {}) {
  const root = createRootRoute();
  const here = createRoute({ getParentRoute: () => root, path: '/', component: () => part });
  const elsewhere = createRoute({ getParentRoute: () => root, path: '$', component: () => <p>Another screen</p> });
  const router = createRouter({
    routeTree: root.addChildren([here, elsewhere]),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  });
  const queries = createQueryClient();
  const organization = { id: 'org_x', name: 'X', isDemo: false };
  queries.setQueryData(sessionKey, { ok: true, user: null, roles: [], access, organization });
  await act(async () => {
    await router.load();
    render(
      // in its test environment the kit leaves transitions out
      <MantineProvider theme={theme} env="test">
        <QueryClientProvider client={queries}>
          <ToastProvider>
            <ConfirmProvider>
              <RouterProvider router={router} />
            </ConfirmProvider>
          </ToastProvider>
        </QueryClientProvider>
      </MantineProvider>,
    );
  });
  return { queries, path: () => router.state.location.pathname, goTo: (to: string) => router.navigate({ to }) };
}
