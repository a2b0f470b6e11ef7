import { createRoute } from '@tanstack/react-router';
import { frame, screen } from '../../frame/frame-route.tsx';

export const homeRoutes = [
  createRoute({
    getParentRoute: () => frame,
    path: '/',
    ...screen('Home', () => import('./home.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/first-steps',
    ...screen('First steps', () => import('./first-steps.screen.tsx')),
  }),
] as const;
