import * as contract from '@portolan/contract/campaigns';
import * as exemptions from '@portolan/contract/exemptions';
import { type Route, route } from '../../platform/http/route.ts';
import type { CatalogDeps } from '../entities/index.ts';
import { createExemptions, deleteExemption, listExemptions } from './exemptions.ts';
import { getCampaign, getCampaignProgress, listCampaigns, listOwnCampaigns } from './read-campaigns.ts';
import { createCampaign, deleteCampaign, replaceCampaign } from './write-campaigns.ts';

export function campaignRoutes(deps: CatalogDeps): Route[] {
  return [
    route(contract.listCampaigns, async ({ query }, { actor }) => ({
      campaigns: await listCampaigns(deps, actor, query),
    })),
    route(contract.createCampaign, async ({ body }, { actor }) => ({
      campaign: await createCampaign(deps, actor, body),
    })),
    route(contract.getCampaign, async ({ params }, { actor }) => ({
      campaign: await getCampaign(deps, actor, params.campaign_id),
    })),
    route(contract.getCampaignProgress, ({ params }, { actor }) =>
      getCampaignProgress(deps, actor, params.campaign_id),
    ),
    route(contract.replaceCampaign, async ({ params, query, body }, { actor }) => ({
      campaign: await replaceCampaign(deps, actor, params.campaign_id, body, query.expectedVersion),
    })),
    route(contract.deleteCampaign, async ({ params }, { actor }) => {
      await deleteCampaign(deps, actor, params.campaign_id);
      return {};
    }),
    route(contract.listOwnCampaigns, async (_input, { actor }) => ({
      campaigns: await listOwnCampaigns(deps, actor),
    })),
    route(exemptions.listExemptions, async ({ params, query }, { actor }) => ({
      exemptions: await listExemptions(deps, actor, named(params), query),
    })),
    route(exemptions.createExemptions, async ({ params, body }, { actor }) => ({
      exemptions: await createExemptions(deps, actor, named(params), body),
    })),
    route(exemptions.deleteExemption, async ({ params }, { actor }) => {
      await deleteExemption(deps, actor, named(params), params.exemption_id);
      return {};
    }),
  ];
}

function named(params: { readonly blueprint_identifier: string; readonly scorecard_identifier: string }) {
  return { blueprint: params.blueprint_identifier, scorecard: params.scorecard_identifier };
}
