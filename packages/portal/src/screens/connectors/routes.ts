import { createRoute } from '@tanstack/react-router';
import { frame, screen } from '../../frame/frame-route.tsx';
import { t } from '../../kit/translate.ts';

export const connectorsRoutes = [
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/connectors',
    ...screen(t('Connectors'), () => import('./connectors.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/connectors/$server',
    ...screen(t('Connector'), () => import('./connector.screen.tsx')),
  }),
] as const;
