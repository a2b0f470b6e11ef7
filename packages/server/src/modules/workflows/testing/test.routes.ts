import { testWorkflow as operation } from '@portolan/contract/workflow-test';
import { type Route, route } from '../../../platform/http/route.ts';
import { type TestDeps, testWorkflow } from './test-workflow.ts';

export function testRoute(deps: TestDeps): Route {
  return route(operation, async ({ body }, { actor }) => ({ test: await testWorkflow(deps, actor, body) }));
}
