import { createRoute } from '@tanstack/react-router';
import { frame, screen } from '../../frame/frame-route.tsx';

export const connectorsRoutes = [
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/connectors',
    ...screen('Connectors', () => import('./connectors.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/connectors/$server',
    ...screen('Connector', () => import('./connector.screen.tsx')),
  }),
] as const;
