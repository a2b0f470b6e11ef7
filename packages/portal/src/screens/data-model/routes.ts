import { createRoute } from '@tanstack/react-router';
import { frame, screen } from '../../frame/frame-route.tsx';
import { flag, oneOf, search, text } from '../../frame/search.ts';

export const dataModelRoutes = [
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/data-model',
    validateSearch: search({ view: oneOf('list', 'graph'), search: text, system: flag }),
    ...screen('Data model', () => import('./data-model.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/data-model/$blueprint',
    validateSearch: search({ tab: oneOf('general', 'properties', 'relations', 'computed', 'ownership', 'json') }),
    ...screen('Blueprint', () => import('./blueprint.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/data-model/$blueprint/migrate-data',
    validateSearch: search({ migration: text }),
    ...screen('Migrate data', () => import('./migrate-data.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/data-model/$blueprint/permissions',
    validateSearch: search({ tab: text }),
    ...screen('Permissions', () => import('./permissions.screen.tsx')),
  }),
] as const;
