import { createRoute } from '@tanstack/react-router';
import { frame, screen } from '../../frame/frame-route.tsx';
import { flag, oneOf, search, text, whole } from '../../frame/search.ts';
import { t } from '../../kit/translate.ts';

const depthMax = 3;

function depthOf(found: unknown): number | undefined {
  const depth = whole(found);
  return depth === undefined || depth < 1 ? undefined : Math.min(depth, depthMax);
}

export const dataModelRoutes = [
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/data-model',
    validateSearch: search({
      view: oneOf('map', 'focus', 'list'),
      search: text,
      system: flag,
      type: text,
      focus: text,
      depth: depthOf,
      properties: flag,
    }),
    ...screen(t('Data model'), () => import('./data-model.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/data-model/$blueprint',
    validateSearch: search({
      tab: oneOf('general', 'properties', 'relations', 'computed', 'ownership', 'json'),
      add: flag,
    }),
    ...screen(t('Blueprint'), () => import('./blueprint.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/data-model/$blueprint/migrate-data',
    validateSearch: search({ migration: text }),
    ...screen(t('Migrate data'), () => import('./migrate-data.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/data-model/$blueprint/permissions',
    validateSearch: search({ tab: text }),
    ...screen(t('Permissions'), () => import('./permissions.screen.tsx')),
  }),
] as const;
