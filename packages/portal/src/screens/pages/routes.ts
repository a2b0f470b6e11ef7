import { createRoute } from '@tanstack/react-router';
import { frame, screen } from '../../frame/frame-route.tsx';
import { search, text } from '../../frame/search.ts';

export const pagesRoutes = [
  createRoute({
    getParentRoute: () => frame,
    path: '/catalog/$page/edit',
    validateSearch: search({ tab: text }),
    ...screen('Edit page', () => import('./edit.screen.tsx')),
  }),
] as const;
