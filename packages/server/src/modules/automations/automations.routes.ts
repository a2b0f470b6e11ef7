import * as contract from '@portolan/contract/automations';
import { type Route, route } from '../../platform/http/route.ts';
import type { AutomationsDeps } from './automations.deps.ts';
import { testAutomation } from './test-automation.ts';

export function automationRoutes(deps: AutomationsDeps): Route[] {
  return [
    route(contract.testAutomation, async ({ params, body }, { actor }) => ({
      test: await testAutomation(deps, actor, params.action_identifier, body),
    })),
  ];
}
