import { createRoute } from '@tanstack/react-router';
import { frame, screen } from '../../frame/frame-route.tsx';

export const organizationRoutes = [
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/organization',
    ...screen('Organization', () => import('./organization.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/secrets',
    ...screen('Secrets', () => import('./secrets.screen.tsx')),
  }),
] as const;
