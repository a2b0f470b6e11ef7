import { createRoute } from '@tanstack/react-router';
import { frame, screen } from '../../frame/frame-route.tsx';
import { search, text } from '../../frame/search.ts';
import { t } from '../../kit/translate.ts';

export const aiSettingsRoutes = [
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/ai',
    validateSearch: search({ tab: text }),
    ...screen(t('AI settings'), () => import('./ai-settings.screen.tsx')),
  }),
] as const;
