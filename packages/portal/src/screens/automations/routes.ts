import { createRoute } from '@tanstack/react-router';
import { frame, screen } from '../../frame/frame-route.tsx';
import { oneOf, search, text } from '../../frame/search.ts';
import { t } from '../../kit/translate.ts';

export const automationsRoutes = [
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/automations',
    validateSearch: search({ q: text }),
    ...screen(t('Automations'), () => import('./automations.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/new-automation',
    validateSearch: search({ view: oneOf('form', 'json') }),
    ...screen(t('New automation'), () => import('./new-automation.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/automations/$automation',
    validateSearch: search({ tab: oneOf('edit', 'test', 'runs'), view: oneOf('form', 'json') }),
    ...screen(t('Automation'), () => import('./automation.screen.tsx')),
  }),
] as const;
