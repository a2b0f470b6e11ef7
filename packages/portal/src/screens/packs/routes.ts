import { createRoute } from '@tanstack/react-router';
import { frame, screen } from '../../frame/frame-route.tsx';
import { search, text } from '../../frame/search.ts';
import { t } from '../../kit/translate.ts';

export const packsRoutes = [
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/models',
    validateSearch: search({ model: text }),
    ...screen(t('Starter models'), () => import('./packs.screen.tsx')),
  }),
] as const;
