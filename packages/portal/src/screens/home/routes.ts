import { createRoute } from '@tanstack/react-router';
import { frame, screen } from '../../frame/frame-route.tsx';
import { asGiven, search, text, texts } from '../../frame/search.ts';

export const homeRoutes = [
  createRoute({
    getParentRoute: () => frame,
    path: '/',
    validateSearch: search({ edit: text, filter: asGiven, off: texts }),
    ...screen('Home', () => import('./home.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/first-steps',
    ...screen('First steps', () => import('./first-steps.screen.tsx')),
  }),
] as const;
