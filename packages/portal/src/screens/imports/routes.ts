import { createRoute } from '@tanstack/react-router';
import { frame, screen } from '../../frame/frame-route.tsx';
import { search, text } from '../../frame/search.ts';
import { t } from '../../kit/translate.ts';

export const importsRoutes = [
  createRoute({
    getParentRoute: () => frame,
    path: '/imports/new',
    /** The source whose file is uploaded again, or the blueprint of the rows. */
    validateSearch: search({ source: text, blueprint: text }),
    ...screen(t('Import a table'), () => import('./new-import.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/imports/backstage',
    /** The source whose files are uploaded again. */
    validateSearch: search({ source: text }),
    ...screen(t('Come from Backstage'), () => import('./backstage/backstage-files.screen.tsx')),
  }),
] as const;
