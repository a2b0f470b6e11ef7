import * as contract from '@portolan/contract/workflow-proposals';
import { type Route, route } from '../../../platform/http/route.ts';
import type { DefinitionsDeps } from '../definitions/definitions.deps.ts';
import { acceptProposal, dismissProposal } from './decide-proposal.ts';
import { getProposal, listProposals, presentProposal } from './read-proposals.ts';

export function proposalRoutes(deps: DefinitionsDeps): Route[] {
  return [
    route(contract.listWorkflowProposals, async ({ query }, { actor }) => ({
      proposals: await listProposals(deps, actor, query.limit),
    })),
    route(contract.getWorkflowProposal, async ({ params }, { actor }) => ({
      proposal: await getProposal(deps, actor, params.proposal),
    })),
    route(contract.acceptWorkflowProposal, async ({ params, body }, { actor }) => {
      const { proposal, warnings } = await acceptProposal(deps, actor, params.proposal, body);
      return { proposal: await presentProposal(deps, actor, proposal), warnings: [...warnings] };
    }),
    route(contract.dismissWorkflowProposal, async ({ params, body }, { actor }) => ({
      proposal: await presentProposal(deps, actor, await dismissProposal(deps, actor, params.proposal, body.comment)),
    })),
  ];
}
