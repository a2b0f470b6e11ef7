import { z } from 'zod';
import { operation } from './operation.ts';
import { blueprintSearchQuery } from './search-query.ts';
import { blueprintIdentifier, entityIdentifier, queryText, readVersion, timestamp, userAddress } from './wire.ts';

/** Only active campaigns ask something of people; drafts are seen by those who may change them. */
export const campaignStatuses = ['draft', 'active', 'done', 'archived'] as const;
export type CampaignStatus = (typeof campaignStatuses)[number];

/** A campaign's filter is compiled with every look at its progress. */
const filterTextMax = 10_000;

const target = z.union(
  [
    z.strictObject({ level: z.string().min(1).max(1000) }),
    z.strictObject({ rules: z.array(z.string().min(1).max(100)).min(1).max(100) }),
  ],
  { error: 'must be {"level": …} or {"rules": […]}' },
);
export type CampaignTarget = z.output<typeof target>;

const filter = blueprintSearchQuery.refine((query) => JSON.stringify(query).length <= filterTextMax, {
  error: `must not be longer than ${filterTextMax} characters as JSON`,
});

/** What people write of a campaign. */
export const campaignBody = z.strictObject({
  title: z.string().trim().min(1).max(200),
  description: z.string().max(5000).optional(),
  blueprint: blueprintIdentifier,
  scorecard: entityIdentifier.max(100),
  target,
  /** Which of the entities that the scorecard measures take part; all unless told. */
  filter: filter.optional(),
  /** The user who looks after it. */
  owner: userAddress.optional(),
  dueDate: z.iso.date(),
  status: z.enum(campaignStatuses).default('draft'),
  /** Whether owners of open entities are reminded 14, 7 and 1 days before the due date. */
  remindOwners: z.boolean().default(true),
});
export type CampaignBody = z.output<typeof campaignBody>;

const campaignSchema = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string().optional(),
  blueprint: z.string(),
  scorecard: z.string(),
  target,
  filter: blueprintSearchQuery.optional(),
  owner: z.string().optional(),
  dueDate: z.string(),
  status: z.enum(campaignStatuses),
  remindOwners: z.boolean(),
  createdAt: timestamp,
  createdBy: z.string(),
  updatedAt: timestamp,
  updatedBy: z.string(),
});
export type Campaign = z.output<typeof campaignSchema>;

/** What keeps a campaign from being measured: its scorecard, level, rules or filter name what is gone. */
export const campaignProblems = ['scorecard', 'level', 'rules', 'filter'] as const;

const campaignParams = z.object({ campaign_id: z.string().min(1).max(100) });
const oneCampaign = z.object({ ok: z.literal(true), campaign: campaignSchema });
const tag = 'Campaigns';
const ours = 'The operation has no counterpart in the public API.';

export const listCampaigns = operation({
  id: 'listCampaigns',
  method: 'GET',
  path: '/v1/campaigns',
  tag,
  scope: 'read:scorecards',
  summary: 'List the campaigns of the scorecards that the caller may read, those due first at the top',
  description: `Drafts are listed for those who may change them. ${ours}`,
  access: 'token',
  query: z.object({ blueprint: queryText(), scorecard: queryText() }),
  answer: z.object({ ok: z.literal(true), campaigns: z.array(campaignSchema) }),
  errors: [],
});

export const createCampaign = operation({
  id: 'createCampaign',
  method: 'POST',
  path: '/v1/campaigns',
  tag,
  scope: 'create:scorecards',
  summary: 'Create a campaign: what entities are to reach of a scorecard, and by when',
  description: `Whoever may create scorecards may. The target is a level, or rules that all have to pass. ${ours}`,
  access: 'token',
  status: 201,
  body: campaignBody,
  answer: oneCampaign,
  errors: ['missing_permissions', 'not_found', 'limit_reached'],
});

export const getCampaign = operation({
  id: 'getCampaign',
  method: 'GET',
  path: '/v1/campaigns/{campaign_id}',
  tag,
  scope: 'read:scorecards',
  summary: 'Read a campaign',
  description: ours,
  access: 'token',
  params: campaignParams,
  answer: oneCampaign,
  errors: ['not_found'],
});

const reach = { total: z.number().int(), reached: z.number().int() };
/** Of those that fall short, the exempt ones: they are not open. */
const exempt = z.number().int();

const progress = z.object({
  ok: z.literal(true),
  /** What it names and is gone; the figures are 0 then. */
  problem: z.enum(campaignProblems).nullable(),
  ...reach,
  exempt,
  /** Of each team that owns entities of the campaign, most open first; null is for entities without one. */
  teams: z.array(z.object({ team: z.string().nullable(), ...reach, exempt })).max(500),
  teamCount: z.number().int(),
  /** Finds the entities that still fall short and are not exempt, in a search of the blueprint. */
  openQuery: blueprintSearchQuery.nullable(),
  /** The last count of past days (UTC), oldest first; null for who may not read all entities that were counted. */
  history: z
    .array(z.object({ day: z.string(), ...reach }))
    .max(400)
    .nullable(),
  reminders: z.object({
    /** The day (UTC) of the next one; null if none is to come. */
    next: z.string().nullable(),
    /** How many people the last one of this due date went to; null of those for whom the history is null. */
    last: z.object({ at: timestamp, step: z.number().int(), people: z.number().int().nullable() }).nullable(),
  }),
});
export type CampaignProgress = Omit<z.input<typeof progress>, 'ok'>;

export const getCampaignProgress = operation({
  id: 'getCampaignProgress',
  workClass: 'bulk',
  method: 'GET',
  path: '/v1/campaigns/{campaign_id}/progress',
  tag,
  scope: 'read:scorecards',
  summary: 'Count the entities that have reached the target of a campaign, altogether and by team',
  description: `Counts what is stored of the entities that the caller may read, so that people may see different figures. An entity of several teams counts for each. ${ours}`,
  access: 'token',
  params: campaignParams,
  answer: progress,
  errors: ['not_found'],
});

export const replaceCampaign = operation({
  id: 'replaceCampaign',
  method: 'PUT',
  path: '/v1/campaigns/{campaign_id}',
  tag,
  scope: 'update:scorecards',
  summary: 'Replace a campaign; `expectedVersion` refuses one changed since it was read',
  description: ours,
  access: 'token',
  params: campaignParams,
  query: z.object({ expectedVersion: readVersion.optional() }),
  body: campaignBody,
  answer: oneCampaign,
  errors: ['missing_permissions', 'not_found', 'limit_reached', 'stale_version'],
});

export const deleteCampaign = operation({
  id: 'deleteCampaign',
  method: 'DELETE',
  path: '/v1/campaigns/{campaign_id}',
  tag,
  scope: 'delete:scorecards',
  summary: 'Delete a campaign; scorecard, results and entities stay',
  description: ours,
  access: 'token',
  params: campaignParams,
  answer: z.object({ ok: z.literal(true) }),
  errors: ['missing_permissions', 'not_found'],
});

const ownWork = z.object({
  campaign: campaignSchema.pick({ id: true, title: true, blueprint: true, dueDate: true }),
  total: z.number().int(),
  open: z.number().int(),
  exempt,
  /** When the caller was last reminded of it, before this due date. */
  remindedAt: timestamp.nullable(),
  entities: z.array(z.object({ identifier: z.string(), title: z.string().nullable() })).max(5),
});
export type OwnCampaign = z.output<typeof ownWork>;

export const listOwnCampaigns = operation({
  id: 'listOwnCampaigns',
  method: 'GET',
  path: '/v1/users/me/campaigns',
  tag,
  scope: 'read:scorecards',
  summary: 'List the active campaigns in which entities of the caller’s teams still fall short',
  description: `With up to five of the entities each. A restricted token needs \`read:entities\` too. ${ours}`,
  access: 'token',
  answer: z.object({ ok: z.literal(true), campaigns: z.array(ownWork).max(50) }),
  errors: ['insufficient_scope'],
});

export const campaignOperations = [
  listCampaigns,
  createCampaign,
  getCampaign,
  getCampaignProgress,
  replaceCampaign,
  deleteCampaign,
  listOwnCampaigns,
] as const;
