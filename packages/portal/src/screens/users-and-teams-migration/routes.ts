import { createRoute } from '@tanstack/react-router';
import { frame, screen } from '../../frame/frame-route.tsx';
import { search, text } from '../../frame/search.ts';
import { t } from '../../kit/translate.ts';

export const usersAndTeamsRoutes = [
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/users-and-teams',
    validateSearch: search({ step: text }),
    ...screen(t('Users and teams migration'), () => import('./migration.screen.tsx')),
  }),
] as const;
