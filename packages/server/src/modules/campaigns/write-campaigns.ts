import { isDeepStrictEqual } from 'node:util';
import type { Campaign, CampaignBody } from '@portolan/contract/campaigns';
import type { Issue } from '@portolan/contract/errors';
import type { Actor } from '../../platform/actor.ts';
import { AppError, invalidRequest, notFound } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { assertReadVersion, momentOfChange } from '../../platform/read-version.ts';
import type { UnitOfWork, Work } from '../../platform/unit-of-work.ts';
import { findUser } from '../accounts/index.ts';
import { findBlueprint, type StoredBlueprint } from '../blueprints/index.ts';
import { can } from '../rights/index.ts';
import { assertRegistrable } from '../scorecard-changes/index.ts';
import { findScorecards, scorecardLevels } from '../scorecard-rules/index.ts';
import {
  countCampaigns,
  deleteCampaignRow,
  insertCampaign,
  lockCampaigns,
  updateCampaignRow,
} from './campaign.store.ts';
import { presentCampaign, type StoredCampaign } from './campaign.ts';
import { filterIssues } from './campaign-queries.ts';
import { visibleCampaign } from './campaign-rights.ts';
import { deleteDays } from './history.store.ts';

interface Deps {
  readonly unitOfWork: UnitOfWork;
}

const campaignsMax = 500;
/** People are shown all that ask something of them. */
export const activeMax = 50;

/**
 * Requires the right to register entities of `_scorecard`, as making a scorecard does.
 * @throws AppError `missing_permissions`, `not_found` (the blueprint), `invalid_request`, `limit_reached`
 */
export function createCampaign({ unitOfWork }: Deps, actor: Actor, body: CampaignBody): Promise<Campaign> {
  return unitOfWork(actor, (work) => createCampaignWithin(work, body));
}

/** Within the caller's unit of work. @throws AppError as `createCampaign` */
export async function createCampaignWithin(work: Work, body: CampaignBody): Promise<Campaign> {
  const { tx, actor, now } = work;
  await assertRegistrable(work);
  await lockCampaigns(tx, actor.orgId);
  const blueprint = await findBlueprint(tx, actor.orgId, body.blueprint);
  if (!blueprint || !can(actor, 'read', blueprint)) throw notFound('Blueprint', body.blueprint);
  await check(work, blueprint, body, undefined);
  const campaign: StoredCampaign = {
    identifier: newId('campaign_'),
    blueprintKey: blueprint.key,
    blueprint: blueprint.identifier,
    ...written(body),
    createdAt: now,
    createdBy: actor.id,
    updatedAt: now,
    updatedBy: actor.id,
  };
  await assertRoom(work, campaign);
  await insertCampaign(tx, actor.orgId, campaign);
  record(work, undefined, campaign);
  return presentCampaign(campaign);
}

/**
 * One that says the same changes nothing. With an expected version, refuses one changed since.
 * @throws AppError as `createCampaign`, and `stale_version`
 */
export function replaceCampaign(
  { unitOfWork }: Deps,
  actor: Actor,
  identifier: string,
  body: CampaignBody,
  expectedVersion?: string,
): Promise<Campaign> {
  return unitOfWork(actor, async (work) => {
    const { tx, now } = work;
    await assertRegistrable(work);
    await lockCampaigns(tx, actor.orgId);
    const { campaign: before, blueprint } = await visibleCampaign(tx, actor, identifier);
    assertReadVersion('campaign', before, expectedVersion);
    if (body.blueprint !== blueprint.identifier) {
      throw invalidRequest([{ path: '/blueprint', message: 'cannot be changed' }], 'The campaign');
    }
    await check(work, blueprint, body, before);
    const { status, dueDate, definition } = before;
    const kept = { status, dueDate, definition: { ...definition, remindOwners: definition.remindOwners ?? true } };
    if (isDeepStrictEqual(written(body), kept)) return presentCampaign(before);
    const after = { ...before, ...written(body), updatedAt: momentOfChange(before, now), updatedBy: actor.id };
    await assertRoom(work, after);
    await updateCampaignRow(tx, actor.orgId, after);
    // past days were of another target
    if (!isDeepStrictEqual(aimOf(before), aimOf(after))) await deleteDays(tx, actor.orgId, identifier);
    record(work, before, after);
    return presentCampaign(after);
  });
}

/** @throws AppError `missing_permissions`, `not_found` */
export function deleteCampaign({ unitOfWork }: Deps, actor: Actor, identifier: string): Promise<void> {
  return unitOfWork(actor, async (work) => {
    await assertRegistrable(work);
    await lockCampaigns(work.tx, actor.orgId);
    const { campaign } = await visibleCampaign(work.tx, actor, identifier);
    await deleteCampaignRow(work.tx, actor.orgId, campaign.identifier);
    record(work, campaign, undefined);
  });
}

function written({ blueprint: _, status, dueDate, ...definition }: CampaignBody) {
  return { status, dueDate, definition };
}

function aimOf({ definition: { scorecard, target, filter } }: StoredCampaign) {
  return { scorecard, target, filter };
}

/** Everything that is named must be there; what has gone since is no reason to refuse what was kept of it. */
async function check(
  { tx, actor }: Work,
  blueprint: StoredBlueprint,
  body: CampaignBody,
  before: StoredCampaign | undefined,
): Promise<void> {
  const { scorecard: identifier, target, filter, owner } = body;
  const issues: Issue[] = [];
  const scorecards = await findScorecards(tx, actor.orgId, blueprint.key);
  const scorecard = scorecards.find((each) => each.identifier === identifier);
  if (!scorecard) {
    const message = `is not a scorecard of the blueprint "${blueprint.identifier}"`;
    issues.push({ path: '/scorecard', message });
  } else if ('level' in target) {
    const [, ...titles] = scorecardLevels(scorecard.definition).map(({ title }) => title);
    const message = `must be one of: ${titles.join(', ')}`;
    if (!titles.includes(target.level)) issues.push({ path: '/target/level', message });
  } else {
    const known = scorecard.definition.rules.map((rule) => rule.identifier);
    for (const [index, rule] of target.rules.entries()) {
      const path = `/target/rules/${index}`;
      if (!known.includes(rule)) issues.push({ path, message: `is not a rule of the scorecard "${identifier}"` });
      else if (target.rules.indexOf(rule) !== index) issues.push({ path, message: 'is there twice' });
    }
  }
  if (filter) {
    for (const message of filterIssues(blueprint, scorecards, filter)) issues.push({ path: '/filter', message });
    if (actor.model !== 'blueprints' && JSON.stringify(filter).includes('"$team"')) {
      // the migration of users and teams gives teams other names, and does not know of campaigns
      issues.push({ path: '/filter', message: 'may not name teams before users and teams are blueprints' });
    }
  }
  if (owner !== undefined && owner !== before?.definition.owner && !(await findUser(tx, actor.orgId, owner))) {
    issues.push({ path: '/owner', message: 'is not a user of the organization' });
  }
  // what ends a campaign must be possible whatever became of its scorecard
  const isEnding = before !== undefined && (body.status === 'done' || body.status === 'archived');
  const isKept =
    before !== undefined && isDeepStrictEqual({ remindOwners: true, ...before.definition }, written(body).definition);
  if (issues.length > 0 && !(isEnding && isKept)) throw invalidRequest(issues, 'The campaign');
}

async function assertRoom({ tx, actor }: Work, { identifier, status }: StoredCampaign): Promise<void> {
  const { all, active } = await countCampaigns(tx, actor.orgId, identifier);
  if (all >= campaignsMax) {
    throw new AppError('limit_reached', `There may be ${campaignsMax} campaigns; delete some that are over`);
  }
  if (status === 'active' && active >= activeMax) {
    throw new AppError('limit_reached', `There may be ${activeMax} active campaigns; end one of them first`);
  }
}

function record(work: Work, before: StoredCampaign | undefined, after: StoredCampaign | undefined): void {
  const action = !before ? 'CREATE' : after ? 'UPDATE' : 'DELETE';
  const { identifier, blueprint } = (after ?? before) as StoredCampaign;
  work.record({
    event: { CREATE: 'campaign.created', UPDATE: 'campaign.updated', DELETE: 'campaign.deleted' }[action],
    action,
    resourceType: 'campaign',
    identifier,
    context: { campaign: identifier, blueprint },
    ...(before ? { before: presentCampaign(before) } : {}),
    ...(after ? { after: presentCampaign(after) } : {}),
  });
}
