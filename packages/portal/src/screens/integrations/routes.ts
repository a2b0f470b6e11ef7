import { createRoute } from '@tanstack/react-router';
import { frame, screen } from '../../frame/frame-route.tsx';
import { oneOf, search, text, texts } from '../../frame/search.ts';
import { t } from '../../kit/translate.ts';

export const integrationsRoutes = [
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/sources',
    ...screen(t('Data sources'), () => import('./sources.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/sources/add',
    validateSearch: search({ query: text, section: text }),
    ...screen(t('Add a source'), () => import('./add-source.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/sources/add/$type',
    validateSearch: search({ install: text, way: text }),
    ...screen(t('Add a source'), () => import('./source-type.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/sources/new-webhook',
    ...screen(t('New webhook'), () => import('./new-webhook.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/sources/webhooks/$webhook',
    validateSearch: search({ tab: oneOf('deliveries', 'mappings', 'settings'), delivery: text, state: text }),
    ...screen(t('Webhook'), () => import('./webhook.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/sources/own/$source',
    validateSearch: search({ tab: oneOf('overview', 'syncs', 'mapping', 'settings'), sync: text, change: text }),
    ...screen(t('Source'), () => import('./own-sources/own-source.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/sources/integrations/$integration',
    validateSearch: search({
      tab: oneOf('overview', 'mapping', 'syncs', 'log'),
      kind: text,
      level: texts,
      resync: text,
    }),
    ...screen(t('Integration'), () => import('./integration.screen.tsx')),
  }),
] as const;
