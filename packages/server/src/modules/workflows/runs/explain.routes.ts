import { explainWorkflow as operation } from '@portolan/contract/workflow-explanations';
import { type Route, route } from '../../../platform/http/route.ts';
import type { DefinitionsDeps } from '../definitions/definitions.deps.ts';
import { explainWorkflow } from './explain-workflow.ts';

export function explainRoute(deps: DefinitionsDeps): Route {
  return route(operation, async ({ params, query }, { actor }) => ({
    explanation: await explainWorkflow(deps, actor, params.identifier, query.user),
  }));
}
