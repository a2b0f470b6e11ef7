import * as contract from '@portolan/contract/cutover';
import { type Route, route } from '../../../platform/http/route.ts';
import { refuseChat } from './chat-application.ts';
import type { CutoverDeps } from './follow-cutover.ts';
import { reportCutover } from './report-cutover.ts';

/** Reports on the cutover; the operator moves organizations with `PATCH /v1/operator/organizations/{id}`. */
export function cutoverRoutes(deps: CutoverDeps): Route[] {
  return [
    route(contract.getCutover, async (_input, { actor }) => ({ cutover: await reportCutover(deps, actor.orgId) })),
    route(contract.rehearseCutover, async ({ body }, { actor }) => ({
      cutover: await reportCutover(deps, actor.orgId, body),
    })),
    route(contract.getOrganizationCutover, async ({ params }) => ({
      cutover: await reportCutover(deps, params.organization_id),
    })),
    route(contract.simulateCutover, async ({ params, body }) => ({
      cutover: await reportCutover(deps, params.organization_id, body),
    })),
    route(contract.chatApplicationEvent, async () => refuseChat(deps.clock.now(), deps.chatNotice)),
  ];
}
