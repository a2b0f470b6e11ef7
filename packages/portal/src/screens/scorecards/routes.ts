import { createRoute } from '@tanstack/react-router';
import { frame, screen } from '../../frame/frame-route.tsx';
import { asGiven, oneOf, search, text } from '../../frame/search.ts';

export const scorecardsRoutes = [
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/scorecards',
    validateSearch: search({ q: text }),
    ...screen('Scorecards', () => import('./scorecards.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/new-scorecard',
    validateSearch: search({ blueprint: text, view: oneOf('form', 'json') }),
    ...screen('New scorecard', () => import('./new-scorecard.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/scorecards/$blueprint/$scorecard',
    validateSearch: search({
      tab: oneOf('results', 'rules'),
      view: oneOf('form', 'json'),
      level: text,
      rule: text,
      target: text,
      viewfound: asGiven,
    }),
    ...screen('Scorecard', () => import('./scorecard.screen.tsx')),
  }),
] as const;
