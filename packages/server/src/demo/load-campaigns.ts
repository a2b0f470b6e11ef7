import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { campaignBody } from '@portolan/contract/campaigns';
import { type CampaignDay, createCampaignWithin, saveDay } from '../modules/campaigns/maintenance.ts';
import type { Work } from '../platform/unit-of-work.ts';
import { demoReviver } from './clock.ts';
import type { DemoSource } from './read-demo.ts';

interface DemoCampaign {
  readonly campaign: unknown;
  /** How far it was on past days. */
  readonly days: readonly CampaignDay[];
}

/** Campaigns have no identifier of their own to be imported by, so they are no part of the import format. */
export async function loadCampaigns(work: Work, { folder, publicUrl }: DemoSource): Promise<void> {
  const revive = demoReviver(work.now, publicUrl);
  const lines = readFileSync(join(folder, 'campaigns.jsonl'), 'utf8').split('\n').filter(Boolean);
  for (const line of lines) {
    const { campaign, days } = JSON.parse(line, revive) as DemoCampaign;
    const { id } = await createCampaignWithin(work, campaignBody.parse(campaign));
    for (const day of days) await saveDay(work.tx, work.actor.orgId, id, day);
  }
}
