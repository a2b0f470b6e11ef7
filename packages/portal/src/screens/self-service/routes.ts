import { createRoute } from '@tanstack/react-router';
import { frame, screen } from '../../frame/frame-route.tsx';
import { asGiven, search, text } from '../../frame/search.ts';
import { t } from '../../kit/translate.ts';

export const selfServiceRoutes = [
  createRoute({
    getParentRoute: () => frame,
    path: '/self-service',
    validateSearch: search({ q: text, operation: text, blueprint: text }),
    ...screen(t('Self-service'), () => import('./hub.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/self-service/$action',
    validateSearch: search({ entity: asGiven }),
    ...screen(t('Run an action'), () => import('./form.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/self-serve',
    validateSearch: search({ action: text }),
    ...screen(t('Self-service'), () => import('./old-link.screen.tsx')),
  }),
] as const;
