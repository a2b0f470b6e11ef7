import { createRoute } from '@tanstack/react-router';
import { frame, screen } from '../../frame/frame-route.tsx';
import { flag, oneOf, search, text } from '../../frame/search.ts';
import { t } from '../../kit/translate.ts';

const editing = { view: oneOf('list', 'canvas', 'json'), node: text };

export const workflowsRoutes = [
  createRoute({
    getParentRoute: () => frame,
    path: '/workflows',
    validateSearch: search({ q: text, category: text, trigger: text }),
    ...screen(t('Workflows'), () => import('./workflows.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/workflows/new',
    validateSearch: search({ ...editing, template: text }),
    ...screen(t('New workflow'), () => import('./new-workflow.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/workflows/proposals/$proposal',
    validateSearch: search(editing),
    ...screen(t('Proposed workflow'), () => import('./proposal.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/workflows/$workflow/edit',
    validateSearch: search({ ...editing, tab: oneOf('edit', 'versions', 'access') }),
    ...screen(t('Workflow'), () => import('./workflow.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/workflows/$workflow/start',
    validateSearch: search({ trigger: text }),
    ...screen(t('Start a workflow'), () => import('./start.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/workflow-runs',
    validateSearch: search({
      workflow: text,
      status: text,
      mine: flag,
      waiting: flag,
      trigger: text,
      by: text,
      for: text,
      blueprint: text,
      entity: text,
      rerunOf: text,
    }),
    ...screen(t('Runs of workflows'), () => import('./runs.screen.tsx')),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/workflow-runs/$workflowRun',
    validateSearch: search({ step: text, view: oneOf('steps', 'graph', 'log') }),
    ...screen(t('Run of a workflow'), () => import('./run.screen.tsx')),
  }),
] as const;
