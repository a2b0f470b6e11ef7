import { createRoute } from '@tanstack/react-router';
import { frame, screen } from '../../frame/frame-route.tsx';
import { asGiven, search, text, texts } from '../../frame/search.ts';
import { t } from '../../kit/translate.ts';

export const homeRoutes = [
  createRoute({
    getParentRoute: () => frame,
    path: '/',
    validateSearch: search({ edit: text, filter: asGiven, off: texts }),
    ...screen(t('Home'), () => import('./home.screen.tsx'), { stays: true }),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/first-steps',
    ...screen(t('First steps'), () => import('./first-steps.screen.tsx')),
  }),
] as const;
