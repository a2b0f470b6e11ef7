import { createRoute } from '@tanstack/react-router';
import { frame, root, screen } from '../../frame/frame-route.tsx';
import { search, text } from '../../frame/search.ts';
import { t } from '../../kit/translate.ts';

export const signInRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in',
    validateSearch: search({ return_to: text, error: text }),
    ...screen(t('Sign in'), () => import('./sign-in.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/set-password',
    ...screen(t('Set a password'), () => import('./set-password.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/connect-app',
    ...screen(t('Connect an app'), () => import('./connect-app.screen.tsx')),
  }),
] as const;

export const accountRoutes = [
  createRoute({
    getParentRoute: () => frame,
    path: '/me/credentials',
    ...screen(t('Credentials'), () => import('./credentials.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/me/connected-apps',
    ...screen(t('Connected apps'), () => import('./connected-apps.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/me/memory',
    ...screen(t('Memory'), () => import('./memory.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/me/preferences',
    ...screen(t('Preferences'), () => import('./preferences.screen.tsx')),
  }),
] as const;
