import { createRoute } from '@tanstack/react-router';
import { frame, screen } from '../../frame/frame-route.tsx';
import { search, text } from '../../frame/search.ts';
import { t } from '../../kit/translate.ts';

export const agentsRoutes = [
  createRoute({
    getParentRoute: () => frame,
    path: '/ai/agents',
    validateSearch: search({ find: text }),
    ...screen(t('Agents'), () => import('./agents.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/ai/new-agent',
    ...screen(t('New agent'), () => import('./new-agent.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/ai/agents/$agent',
    validateSearch: search({ c: text }),
    ...screen(t('Agent'), () => import('./agent.screen.tsx')),
  }),
] as const;
