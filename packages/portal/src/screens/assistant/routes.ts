import { createRoute } from '@tanstack/react-router';
import { frame, screen } from '../../frame/frame-route.tsx';
import { search, text } from '../../frame/search.ts';
import { t } from '../../kit/translate.ts';

export const assistantRoutes = [
  createRoute({
    getParentRoute: () => frame,
    path: '/ai',
    validateSearch: search({ c: text, leaf: text }),
    ...screen(t('Assistant'), () => import('./assistant.screen.tsx')),
  }),
] as const;
