import { createRoute } from '@tanstack/react-router';
import { frame, screen } from '../../frame/frame-route.tsx';
import { asGiven, flag, search, text, texts } from '../../frame/search.ts';
import { t } from '../../kit/translate.ts';

export const catalogRoutes = [
  createRoute({
    getParentRoute: () => frame,
    path: '/catalog',
    validateSearch: search({ q: text }),
    ...screen(t('Catalog'), () => import('./catalog.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/catalog/$page',
    validateSearch: search({ view: asGiven, edit: text, filter: asGiven, off: texts, as_of: text }),
    ...screen(t('Catalog'), () => import('./page.screen.tsx'), { stays: true }),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/new/$blueprint',
    ...screen(t('New entity'), () => import('./new-entity.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/e/$blueprint/$entity',
    validateSearch: search({ face: text, over: text, span: text, as_of: text }),
    ...screen(t('Entity'), () => import('./entity.screen.tsx'), { stays: true }),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/e/$blueprint/$entity/$tab',
    validateSearch: search({
      face: text,
      over: text,
      span: text,
      find: text,
      platform: flag,
      left: texts,
      right: texts,
      as_of: text,
    }),
    ...screen(t('Entity'), () => import('./entity.screen.tsx'), { stays: true }),
  }),
] as const;
