import { createRoute } from '@tanstack/react-router';
import { frame, screen } from '../../frame/frame-route.tsx';
import { search, text } from '../../frame/search.ts';
import { t } from '../../kit/translate.ts';

export const approvalsRoutes = [
  createRoute({
    getParentRoute: () => frame,
    path: '/approvals',
    validateSearch: search({ tab: text }),
    ...screen(t('Approvals'), () => import('./approvals.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/approvals/$run',
    ...screen(t('Approval'), () => import('./approval.screen.tsx')),
  }),
] as const;
