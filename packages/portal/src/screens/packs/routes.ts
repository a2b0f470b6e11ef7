import { createRoute } from '@tanstack/react-router';
import { frame, screen } from '../../frame/frame-route.tsx';
import { search, text } from '../../frame/search.ts';

export const packsRoutes = [
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/models',
    validateSearch: search({ model: text }),
    ...screen('Starter models', () => import('./packs.screen.tsx')),
  }),
] as const;
