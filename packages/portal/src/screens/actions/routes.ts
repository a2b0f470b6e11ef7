import { createRoute } from '@tanstack/react-router';
import { frame, screen } from '../../frame/frame-route.tsx';
import { oneOf, search, text } from '../../frame/search.ts';
import { t } from '../../kit/translate.ts';

export const actionsRoutes = [
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/new-action',
    validateSearch: search({ from: text, tab: oneOf('basics', 'form', 'backend', 'approval', 'rights', 'json') }),
    ...screen(t('New action'), () => import('./new-action.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/actions/$action',
    validateSearch: search({ tab: oneOf('basics', 'form', 'backend', 'approval', 'rights', 'json') }),
    ...screen(t('Action'), () => import('./action.screen.tsx')),
  }),
] as const;
