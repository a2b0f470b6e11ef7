import { createRoute } from '@tanstack/react-router';
import { frame, screen } from '../../frame/frame-route.tsx';
import { t } from '../../kit/translate.ts';

export const organizationRoutes = [
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/organization',
    ...screen(t('Organization'), () => import('./organization.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/secrets',
    ...screen(t('Secrets'), () => import('./secrets.screen.tsx')),
  }),
] as const;
