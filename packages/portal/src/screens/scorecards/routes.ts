import { createRoute } from '@tanstack/react-router';
import { frame, screen } from '../../frame/frame-route.tsx';
import { asGiven, flag, oneOf, search, text } from '../../frame/search.ts';
import { t } from '../../kit/translate.ts';

export const scorecardsRoutes = [
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/scorecards',
    validateSearch: search({ q: text }),
    ...screen(t('Scorecards'), () => import('./scorecards.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/new-scorecard',
    validateSearch: search({ blueprint: text, view: oneOf('form', 'json') }),
    ...screen(t('New scorecard'), () => import('./new-scorecard.screen.tsx')),
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
    ...screen(t('Scorecard'), () => import('./scorecard.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/campaigns',
    validateSearch: search({ show: oneOf('current', 'past') }),
    ...screen(t('Campaigns'), () => import('./campaigns.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/new-campaign',
    validateSearch: search({ blueprint: text, scorecard: text }),
    ...screen(t('New campaign'), () => import('./new-campaign.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/campaigns/$campaign',
    validateSearch: search({ tab: oneOf('progress', 'settings'), mine: flag, viewopen: asGiven }),
    ...screen(t('Campaign'), () => import('./campaign.screen.tsx')),
  }),
] as const;
