import * as contract from '@portolan/contract/standing-approvals';
import { type Route, route } from '../../../platform/http/route.ts';
import type { AssistantDeps } from '../assistant.deps.ts';
import { giveApproval } from './give-approval.ts';
import { listApprovals } from './list-approvals.ts';
import { revokeApproval } from './revoke-approval.ts';

export function standingRoutes(deps: AssistantDeps): Route[] {
  return [
    route(contract.listStandingApprovals, ({ query }, { actor }) => listApprovals(deps, actor, query.agent)),
    route(contract.createStandingApproval, async ({ body }, { actor }) => ({
      approval: await giveApproval(deps, actor, body),
    })),
    route(contract.revokeStandingApproval, async ({ params }, { actor }) => {
      await revokeApproval(deps, actor, params.approval_id);
      return {};
    }),
  ];
}
