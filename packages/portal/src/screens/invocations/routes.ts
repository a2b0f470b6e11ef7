import { createRoute } from '@tanstack/react-router';
import { frame, screen } from '../../frame/frame-route.tsx';
import { search, text, whole } from '../../frame/search.ts';
import { t } from '../../kit/translate.ts';

export const invocationsRoutes = [
  createRoute({
    getParentRoute: () => frame,
    path: '/ai/invocations',
    validateSearch: search({ status: text, agent: text, user: text, label: text, days: whole }),
    ...screen(t('Invocations'), () => import('./invocations.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/ai/invocations/$invocation',
    ...screen(t('Invocation'), () => import('./invocation.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/ai/usage',
    validateSearch: search({ days: whole, as: text }),
    ...screen(t('Usage'), () => import('./usage.screen.tsx')),
  }),
] as const;
