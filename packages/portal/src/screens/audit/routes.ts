import { createRoute } from '@tanstack/react-router';
import { frame, screen } from '../../frame/frame-route.tsx';
import { search, text } from '../../frame/search.ts';
import { t } from '../../kit/translate.ts';

export const auditRoutes = [
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/audit',
    validateSearch: search({
      resource: text,
      action: text,
      status: text,
      from: text,
      blueprint: text,
      identifier: text,
      actor: text,
      who: text,
    }),
    ...screen(t('Audit log'), () => import('./audit.screen.tsx')),
  }),
] as const;
