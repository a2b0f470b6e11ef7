import { createRoute, redirect } from '@tanstack/react-router';
import { frame } from '../../frame/frame-route.tsx';
import { search, text } from '../../frame/search.ts';

export const pagesRoutes = [
  createRoute({
    getParentRoute: () => frame,
    path: '/catalog/$page/edit',
    validateSearch: search({ tab: text }),
    // pages are edited in their place; links to the editor that was here lead there
    beforeLoad: ({ params: { page }, search: { tab = 'widgets' } }) => {
      if (page === '$home') throw redirect({ to: '/', search: { edit: tab }, replace: true });
      throw redirect({ to: '/catalog/$page', params: { page }, search: { edit: tab }, replace: true });
    },
  }),
] as const;
