import { createRoute } from '@tanstack/react-router';
import { frame, screen } from '../../frame/frame-route.tsx';
import { oneOf, search, text } from '../../frame/search.ts';
import { t } from '../../kit/translate.ts';

export const evaluationRoutes = [
  createRoute({
    getParentRoute: () => frame,
    path: '/ai/evaluation',
    validateSearch: search({ view: oneOf('runs', 'cases') }),
    ...screen(t('Evaluation'), () => import('./evaluation.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/ai/evaluation/$run',
    validateSearch: search({ base: text }),
    ...screen(t('Evaluation run'), () => import('./evaluation-run.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/ai/new-case',
    validateSearch: search({ from: text }),
    ...screen(t('New case'), () => import('./new-case.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/ai/cases/$case',
    ...screen(t('Case'), () => import('./case.screen.tsx')),
  }),
] as const;
