import { createRoute } from '@tanstack/react-router';
import { frame, screen } from '../../frame/frame-route.tsx';
import { flag, search, text } from '../../frame/search.ts';
import { t } from '../../kit/translate.ts';

export const runsRoutes = [
  createRoute({
    getParentRoute: () => frame,
    path: '/runs',
    validateSearch: search({ status: text, action: text, source: text, entity: text, mine: flag }),
    ...screen(t('Runs'), () => import('./runs.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/runs/$run',
    ...screen(t('Run'), () => import('./run.screen.tsx')),
  }),
] as const;
