// Within the transaction that makes the demo.
export { createCampaignWithin } from './write-campaigns.ts';
