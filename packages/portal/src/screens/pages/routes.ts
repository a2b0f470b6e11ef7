import { createRoute } from '@tanstack/react-router';
import { frame, screen } from '../../frame/frame-route.tsx';
import { search, text } from '../../frame/search.ts';
import { t } from '../../kit/translate.ts';

export const pagesRoutes = [
  createRoute({
    getParentRoute: () => frame,
    path: '/catalog/$page/edit',
    validateSearch: search({ tab: text }),
    ...screen(t('Edit page'), () => import('./edit.screen.tsx')),
  }),
] as const;
