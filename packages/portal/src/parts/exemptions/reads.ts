/** What an exemption changes. */
export const exemptionReads = ['listExemptions', 'getCampaignProgress', 'listOwnCampaigns'] as const;
