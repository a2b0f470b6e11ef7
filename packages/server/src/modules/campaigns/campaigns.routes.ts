import * as contract from '@portolan/contract/campaigns';
import { type Route, route } from '../../platform/http/route.ts';
import type { CatalogDeps } from '../entities/index.ts';
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
  ];
}
