import { createRoute } from '@tanstack/react-router';
import { frame, screen } from '../../frame/frame-route.tsx';
import { search, text } from '../../frame/search.ts';

export const aiSettingsRoutes = [
  createRoute({
    getParentRoute: () => frame,
    path: '/builder/ai',
    validateSearch: search({ tab: text }),
    ...screen('AI settings', () => import('./ai-settings.screen.tsx')),
  }),
] as const;
