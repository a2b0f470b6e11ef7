import type { Campaign, CampaignProgress, OwnCampaign } from '@portolan/contract/campaigns';
import type { SearchQuery } from '@portolan/contract/search-query';
import { type Actor, isUnlimited } from '../../platform/actor.ts';
import { AppError } from '../../platform/errors.ts';
import { hiddenValues, isNarrowed, openScope, readConditions } from '../access/index.ts';
import { ruleTeamForm } from '../accounts/index.ts';
import { listBlueprintRows } from '../blueprints/index.ts';
import type { ReadDeps } from '../entities/index.ts';
import { compileQuery, ofBlueprint, walks } from '../entity-query/index.ts';
import { allOf } from '../entity-rows/index.ts';
import { findScorecards, findScorecardsByBlueprint } from '../scorecard-rules/index.ts';
import { presentCampaign } from './campaign.ts';
import { type CampaignQueries, campaignQueries, propertiesIn } from './campaign-queries.ts';
import { type VisibleCampaign, visibleCampaign, visibleCampaigns } from './campaign-rights.ts';
import { toDay } from './days.ts';
import { readsEntities } from './exemptions.ts';
import { daysMax, listDays } from './history.store.ts';
import { isExempt } from './is-exempt.sql.ts';
import { countOpen, countProgress, listExempt, listOpenTeams, type Measured } from './progress.store.ts';
import { countPeople, listRemindedAt, listReminders } from './reminder.store.ts';
import { nextReminder } from './reminder-steps.ts';

const teamsMax = 500;
const entitiesMax = 5;

/** The campaigns that the caller may see, those due first at the top. */
export async function listCampaigns(
  { database }: ReadDeps,
  actor: Actor,
  of: { readonly blueprint?: string | undefined; readonly scorecard?: string | undefined },
): Promise<Campaign[]> {
  const visible = await visibleCampaigns(database, actor);
  return visible
    .map(({ campaign }) => presentCampaign(campaign))
    .filter(({ blueprint }) => of.blueprint === undefined || blueprint === of.blueprint)
    .filter(({ scorecard }) => of.scorecard === undefined || scorecard === of.scorecard);
}

/** @throws AppError `not_found` */
export async function getCampaign({ database }: ReadDeps, actor: Actor, identifier: string): Promise<Campaign> {
  return presentCampaign((await visibleCampaign(database, actor, identifier)).campaign);
}

/** What is stored of the entities that the caller may read, counted. @throws AppError `not_found` */
export async function getCampaignProgress(deps: ReadDeps, actor: Actor, identifier: string): Promise<CampaignProgress> {
  const visible = await visibleCampaign(deps.database, actor, identifier);
  const queries = await queriesOf(deps, actor, visible);
  if ('problem' in queries) {
    return {
      problem: queries.problem,
      ...{ total: 0, reached: 0, exempt: 0, teams: [], teamCount: 0, openQuery: null, history: null },
      reminders: await readReminders(deps, actor, visible, false),
    };
  }
  const measured = await compile(deps, actor, visible, queries);
  const teamForm = ruleTeamForm(actor.model);
  const rows = await countProgress(deps.database, actor.orgId, measured, { teamForm, teamsMax });
  const whole = rows.find(({ isAll }) => isAll);
  const teams = rows.filter(({ isAll }) => !isAll);
  const isWhole = await seesAll(deps, actor, visible);
  return {
    problem: null,
    total: whole?.total ?? 0,
    reached: whole?.reached ?? 0,
    exempt: whole?.exempt ?? 0,
    teams: teams.map(({ team, total, reached, exempt }) => ({ team, total, reached, exempt })),
    teamCount: teams[0]?.teamCount ?? 0,
    openQuery: await withoutExempt(deps, actor, queries.open, measured, whole?.exempt ?? 0),
    history: isWhole ? await listDays(deps.database, actor.orgId, identifier, daysMax) : null,
    reminders: await readReminders(deps, actor, visible, isWhole),
  };
}

/** A search does not know of exemptions, so the exempt are named; not to a token that may not be told of entities. */
async function withoutExempt(
  { database }: ReadDeps,
  actor: Actor,
  open: SearchQuery,
  measured: Measured,
  count: number,
): Promise<SearchQuery> {
  if (count === 0 || !readsEntities(actor)) return open;
  const value = await listExempt(database, actor.orgId, measured);
  return { ...open, rules: [...open.rules, { property: '$identifier', operator: 'notIn', value }] };
}

/** How many people were told is for whoever may know of everything that is open. */
async function readReminders(
  { database, clock }: ReadDeps,
  { orgId }: Actor,
  { campaign }: VisibleCampaign,
  isWhole: boolean,
): Promise<CampaignProgress['reminders']> {
  const { identifier, dueDate, status, definition } = campaign;
  const all = await listReminders(database, orgId, identifier);
  const sent = all.filter((each) => each.dueDate === dueDate);
  const [last] = sent;
  const isOn = status === 'active' && (definition.remindOwners ?? true);
  const steps = sent.map(({ step }) => step);
  return {
    next: isOn ? nextReminder(dueDate, toDay(clock.now()), steps) : null,
    last: last
      ? {
          at: last.at.toISOString(),
          step: last.step,
          people: isWhole ? await countPeople(database, orgId, { campaign: identifier, ...last }) : null,
        }
      : null,
  };
}

/** What is left to the caller's teams; undefined for a campaign that cannot be measured. @throws AppError `not_found` */
export async function readOwnShare(deps: ReadDeps, actor: Actor, identifier: string) {
  const visible = await visibleCampaign(deps.database, actor, identifier);
  const queries = await queriesOf(deps, actor, visible);
  if ('problem' in queries) return undefined;
  const measured = await compile(deps, actor, visible, queries);
  const [share] = await countOpen(deps.database, actor.orgId, [measured], { teamKeys: actor.teamKeys, entitiesMax });
  return share;
}

/** The teams that own open entities, by key; undefined for a campaign that cannot be measured. @throws AppError `not_found` */
export async function readOpenTeams(deps: ReadDeps, actor: Actor, identifier: string): Promise<string[] | undefined> {
  const visible = await visibleCampaign(deps.database, actor, identifier);
  const queries = await queriesOf(deps, actor, visible);
  if ('problem' in queries) return undefined;
  return listOpenTeams(deps.database, actor.orgId, await compile(deps, actor, visible, queries));
}

/** The figures alone; undefined for a campaign that cannot be measured. @throws AppError `not_found` */
export async function readReach(deps: ReadDeps, actor: Actor, identifier: string) {
  const visible = await visibleCampaign(deps.database, actor, identifier);
  const queries = await queriesOf(deps, actor, visible);
  if ('problem' in queries) return undefined;
  const measured = await compile(deps, actor, visible, queries);
  const [whole] = await countProgress(deps.database, actor.orgId, measured, { teamForm: 'title', teamsMax: 0 });
  return { total: whole?.total ?? 0, reached: whole?.reached ?? 0 };
}

/** Past days were counted over all entities, so they are for whoever may read all of them and what the filter names. */
async function seesAll({ database }: ReadDeps, actor: Actor, { campaign, blueprint }: VisibleCampaign) {
  if (isUnlimited(actor)) return true;
  const all = await listBlueprintRows(database, actor.orgId);
  if (isNarrowed(actor, blueprint, all)) return false;
  const { filter } = campaign.definition;
  if (!filter) return true;
  const hidden = hiddenValues(actor, all)(blueprint);
  return !walks(filter) && !propertiesIn(filter).some((name) => hidden.has(name));
}

/**
 * The active campaigns in which entities of the caller's teams fall short, those due first at the top.
 * @throws AppError `insufficient_scope`
 */
export async function listOwnCampaigns(deps: ReadDeps, actor: Actor): Promise<OwnCampaign[]> {
  if (!readsEntities(actor)) {
    const message = 'The token is restricted and does not have "read:entities", which the answer shows';
    throw new AppError('insufficient_scope', message);
  }
  if (actor.teamKeys.length === 0) return [];
  const visible = await visibleCampaigns(deps.database, actor);
  const active = visible.filter(({ campaign }) => campaign.status === 'active');
  const keys = [...new Set(active.map(({ blueprint }) => blueprint.key))];
  const scorecards = keys.length > 0 ? await findScorecardsByBlueprint(deps.database, actor.orgId, keys) : [];
  const found = active.flatMap(({ campaign, blueprint }) => {
    const own = scorecards.filter(({ blueprintKey }) => blueprintKey === blueprint.key);
    const queries = campaignQueries(blueprint, own, campaign.definition);
    return 'problem' in queries ? [] : [{ campaign, blueprint, queries }];
  });
  if (found.length === 0) return [];
  const measured = await compileEach(deps, actor, found);
  const shares = await countOpen(deps.database, actor.orgId, measured, { teamKeys: actor.teamKeys, entitiesMax });
  const reminded = await listRemindedAt(deps.database, actor.orgId, actor.userId ?? actor.id);
  return shares.flatMap(({ place, ...share }) => {
    const of = found[place];
    if (!of || share.open === 0) return [];
    const { id, title, blueprint, dueDate } = presentCampaign(of.campaign);
    const remindedAt = reminded.find(({ campaign }) => campaign === id)?.at.toISOString() ?? null;
    return [{ campaign: { id, title, blueprint, dueDate }, ...share, remindedAt }];
  });
}

async function queriesOf({ database }: ReadDeps, { orgId }: Actor, { campaign, blueprint }: VisibleCampaign) {
  const scorecards = await findScorecards(database, orgId, blueprint.key);
  return campaignQueries(blueprint, scorecards, campaign.definition);
}

/** As a search by the caller: it finds only what they may read, and compares no value that is hidden from them. */
async function compile(deps: ReadDeps, actor: Actor, { blueprint }: VisibleCampaign, queries: CampaignQueries) {
  const [measured] = await compileEach(deps, actor, [{ blueprint, queries }]);
  return measured as Measured;
}

/** The same for several campaigns: what is read of the caller and of types is read once. */
async function compileEach(
  deps: ReadDeps,
  actor: Actor,
  campaigns: readonly (Pick<VisibleCampaign, 'blueprint'> & { readonly queries: CampaignQueries })[],
): Promise<Measured[]> {
  const scope = await openScope(deps, actor, { combinator: 'or', rules: campaigns.map(({ queries }) => queries.open) });
  const blueprints = [...new Set(campaigns.map(({ blueprint }) => blueprint))];
  const readable = await readConditions(deps, actor, blueprints);
  const today = toDay(deps.clock.now());
  return campaigns.map(({ blueprint, queries }) => {
    const context = scope.contextOf(blueprint);
    return {
      condition: allOf([ofBlueprint(blueprint.key), readable(blueprint), compileQuery(queries.measured, context)]),
      reached: compileQuery(queries.reached, context),
      exempt: isExempt(actor.orgId, queries.exempt, today),
    };
  });
}
