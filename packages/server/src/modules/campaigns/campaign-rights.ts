import { type Actor, isUnlimited } from '../../platform/actor.ts';
import type { Reader } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import { refusalToRegister } from '../access/index.ts';
import { findBlueprint, listBlueprintRows, type StoredBlueprint } from '../blueprints/index.ts';
import { can } from '../rights/index.ts';
import { findCampaignRow, listCampaignRows } from './campaign.store.ts';
import type { StoredCampaign } from './campaign.ts';

export interface VisibleCampaign {
  readonly campaign: StoredCampaign;
  readonly blueprint: StoredBlueprint;
}

/** Whether the caller may make scorecards, and with that, campaigns; the write asks again, under a lock. */
async function mayChange(reader: Reader, actor: Actor): Promise<boolean> {
  if (isUnlimited(actor)) return true;
  const data = (await findBlueprint(reader, actor.orgId, '_scorecard')) ?? { identifier: '_scorecard', rights: null };
  return refusalToRegister(actor, data) === undefined;
}

/** The campaigns of blueprints that the caller may read; drafts for those who may change them. */
export async function visibleCampaigns(reader: Reader, actor: Actor): Promise<VisibleCampaign[]> {
  const rows = await listCampaignRows(reader, actor.orgId);
  if (rows.length === 0) return [];
  const seesDrafts = await mayChange(reader, actor);
  const blueprints = await listBlueprintRows(reader, actor.orgId);
  const readable = new Map(blueprints.filter((each) => can(actor, 'read', each)).map((each) => [each.key, each]));
  return rows.flatMap((campaign) => {
    const blueprint = readable.get(campaign.blueprintKey);
    return blueprint && (seesDrafts || campaign.status !== 'draft') ? [{ campaign, blueprint }] : [];
  });
}

/** @throws AppError `not_found`, also for one that the caller may not see */
export async function visibleCampaign(reader: Reader, actor: Actor, identifier: string): Promise<VisibleCampaign> {
  const campaign = await findCampaignRow(reader, actor.orgId, identifier);
  if (!campaign) throw notFound('Campaign', identifier);
  const blueprint = await findBlueprint(reader, actor.orgId, campaign.blueprint);
  const isShown = campaign.status !== 'draft' || (await mayChange(reader, actor));
  if (!blueprint || !isShown || !can(actor, 'read', blueprint)) throw notFound('Campaign', identifier);
  return { campaign, blueprint };
}
