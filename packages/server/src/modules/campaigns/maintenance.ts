// Within the transaction that makes the demo.
export { type CampaignDay, saveDay } from './history.store.ts';
export { createCampaignWithin } from './write-campaigns.ts';
