import type { QueryClient } from '@tanstack/react-query';
import { createRoute, createRouter } from '@tanstack/react-router';
import { NotFound } from '../kit/not-found.tsx';
import { t } from '../kit/translate.ts';
import { accountRoutes, signInRoutes } from '../screens/account/routes.ts';
import { actionsRoutes } from '../screens/actions/routes.ts';
import { agentsRoutes } from '../screens/agents/routes.ts';
import { aiSettingsRoutes } from '../screens/ai-settings/routes.ts';
import { approvalsRoutes } from '../screens/approvals/routes.ts';
import { assistantRoutes } from '../screens/assistant/routes.ts';
import { auditRoutes } from '../screens/audit/routes.ts';
import { automationsRoutes } from '../screens/automations/routes.ts';
import { catalogRoutes } from '../screens/catalog/routes.ts';
import { connectorsRoutes } from '../screens/connectors/routes.ts';
import { dataModelRoutes } from '../screens/data-model/routes.ts';
import { evaluationRoutes } from '../screens/evaluation/routes.ts';
import { homeRoutes } from '../screens/home/routes.ts';
import { importsRoutes } from '../screens/imports/routes.ts';
import { integrationsRoutes } from '../screens/integrations/routes.ts';
import { invocationsRoutes } from '../screens/invocations/routes.ts';
import { organizationRoutes } from '../screens/organization/routes.ts';
import { packsRoutes } from '../screens/packs/routes.ts';
import { pagesRoutes } from '../screens/pages/routes.ts';
import { peopleRoutes } from '../screens/people/routes.ts';
import { runsRoutes } from '../screens/runs/routes.ts';
import { scorecardsRoutes } from '../screens/scorecards/routes.ts';
import { selfServiceRoutes } from '../screens/self-service/routes.ts';
import { usersAndTeamsRoutes } from '../screens/users-and-teams-migration/routes.ts';
import { workflowsRoutes } from '../screens/workflows/routes.ts';
import { Crash } from './crash.tsx';
import { frame, root } from './frame-route.tsx';

const unknown = createRoute({
  getParentRoute: () => frame,
  path: '$',
  component: NotFound,
  staticData: { title: t('Not found') },
});

const routeTree = root.addChildren([
  ...signInRoutes,
  frame.addChildren([
    ...accountRoutes,
    ...actionsRoutes,
    ...agentsRoutes,
    ...aiSettingsRoutes,
    ...approvalsRoutes,
    ...assistantRoutes,
    ...auditRoutes,
    ...automationsRoutes,
    ...catalogRoutes,
    ...connectorsRoutes,
    ...evaluationRoutes,
    ...dataModelRoutes,
    ...homeRoutes,
    ...importsRoutes,
    ...integrationsRoutes,
    ...packsRoutes,
    ...invocationsRoutes,
    ...organizationRoutes,
    ...pagesRoutes,
    ...peopleRoutes,
    ...runsRoutes,
    ...scorecardsRoutes,
    ...selfServiceRoutes,
    ...usersAndTeamsRoutes,
    ...workflowsRoutes,
    unknown,
  ]),
]);

/** The router over all screens. */
export function createPortalRouter(queries: QueryClient) {
  return createRouter({
    routeTree,
    context: { queries },
    defaultPreload: 'intent',
    defaultErrorComponent: ({ error, reset }) => <Crash error={error} onRetry={reset} />,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPortalRouter>;
  }
}
