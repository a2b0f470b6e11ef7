import { createRoute } from '@tanstack/react-router';
import { frame, screen } from '../../frame/frame-route.tsx';
import { flag, search, text } from '../../frame/search.ts';
import { t } from '../../kit/translate.ts';

export const peopleRoutes = [
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/users',
    validateSearch: search({ search: text, type: text, invite: flag }),
    ...screen(t('Users'), () => import('./users.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/teams',
    validateSearch: search({ search: text }),
    ...screen(t('Teams'), () => import('./teams.screen.tsx')),
  }),
] as const;
