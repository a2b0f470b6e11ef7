import { createRoute } from '@tanstack/react-router';
import { frame, screen } from '../../frame/frame-route.tsx';
import { search, text } from '../../frame/search.ts';

export const usersAndTeamsRoutes = [
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/users-and-teams',
    validateSearch: search({ step: text }),
    ...screen('Users and teams migration', () => import('./migration.screen.tsx')),
  }),
] as const;
