import type { Campaign, CampaignBody, CampaignStatus } from '@portolan/contract/campaigns';

/** What people wrote of a campaign, without what has columns of its own. */
export type CampaignDefinition = Omit<CampaignBody, 'blueprint' | 'status' | 'dueDate' | 'remindOwners'> & {
  /** Campaigns from before there were reminders have none, and remind. */
  readonly remindOwners?: boolean;
};

export interface StoredCampaign {
  readonly identifier: string;
  readonly blueprintKey: number;
  readonly blueprint: string;
  readonly status: CampaignStatus;
  readonly dueDate: string;
  readonly definition: CampaignDefinition;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly updatedAt: Date;
  readonly updatedBy: string;
}

export function presentCampaign(campaign: StoredCampaign): Campaign {
  const { title, description, scorecard, target, filter, owner, remindOwners = true } = campaign.definition;
  return {
    id: campaign.identifier,
    title,
    ...(description === undefined ? {} : { description }),
    blueprint: campaign.blueprint,
    scorecard,
    target,
    ...(filter === undefined ? {} : { filter }),
    ...(owner === undefined ? {} : { owner }),
    dueDate: campaign.dueDate,
    status: campaign.status,
    remindOwners,
    createdAt: campaign.createdAt.toISOString(),
    createdBy: campaign.createdBy,
    updatedAt: campaign.updatedAt.toISOString(),
    updatedBy: campaign.updatedBy,
  };
}
