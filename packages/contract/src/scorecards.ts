import { z } from 'zod';
import { blueprintParams } from './blueprints.ts';
import { operation } from './operation.ts';
import { datePreset } from './search-values.ts';
import { entityIdentifier, timestamp } from './wire.ts';

/** Colours of levels (api contract §3.1.2). */
const colorName = z.enum([
  'blue',
  'turquoise',
  'orange',
  'purple',
  'pink',
  'yellow',
  'green',
  'red',
  'gold',
  'silver',
  'paleBlue',
  'darkGray',
  'lightGray',
  'bronze',
  'lime',
  'olive',
  'brown',
]);

const identifier = entityIdentifier.max(100);
const name = z.string().min(1).max(1100);
const subject = { property: name.optional(), relation: name.optional() };
const texts = z.array(z.string());
const constant = z.union([z.string(), z.number(), z.boolean(), texts]);
/** The presets of a search without `lastDay` (api contract §3.15.2). */
const preset = datePreset.exclude(['lastDay']);
const range = z.union([
  z.strictObject({ from: z.iso.datetime({ offset: true }), to: z.iso.datetime({ offset: true }) }),
  z.strictObject({ preset }),
]);

const comparison = z.strictObject({
  ...subject,
  operator: z.enum([
    '!=',
    '>',
    '<',
    '>=',
    '<=',
    'contains',
    'doesNotContains',
    'beginsWith',
    'doesNotBeginsWith',
    'endsWith',
    'doesNotEndsWith',
  ]),
  value: constant,
});
const equality = z.strictObject({ ...subject, operator: z.literal('='), value: z.union([constant, range]) });
const membership = z.strictObject({ ...subject, operator: z.enum(['containsAny', 'in']), value: texts });
const dates = z.strictObject({ property: name, operator: z.enum(['between', 'notBetween']), value: range });
const emptiness = z.strictObject({
  ...subject,
  operator: z.enum(['isEmpty', 'isNotEmpty']),
  not: z.boolean().optional(),
});

/** One condition on a property or on a relation's identifiers (api contract §3.15.2); conditions do not nest. */
const scorecardCondition = z
  .discriminatedUnion('operator', [comparison, equality, membership, dates, emptiness])
  .superRefine((condition, context) => {
    const relation = 'relation' in condition ? condition.relation : undefined;
    if ((condition.property === undefined) === (relation === undefined)) {
      context.addIssue({ code: 'custom', message: 'must name either a property or a relation' });
    }
    const isRange = 'value' in condition && typeof condition.value === 'object' && !Array.isArray(condition.value);
    if (isRange && condition.property === undefined) {
      context.addIssue({ code: 'custom', path: ['value'], message: 'dates are compared on properties only' });
    }
  });
export type ScorecardCondition = z.output<typeof scorecardCondition>;

/** Like a search query, but the keyword is `conditions` instead of `rules`. */
const scorecardQuery = z.strictObject({
  combinator: z.enum(['and', 'or']),
  conditions: z.array(scorecardCondition).min(1).max(100),
});
export type ScorecardQuery = z.output<typeof scorecardQuery>;

const scorecardRule = z.strictObject({
  identifier,
  title: z.string().min(1),
  description: z.string().optional(),
  level: z.string().min(1),
  query: scorecardQuery,
});

export const scorecardLevel = z.strictObject({
  title: z.string().min(1),
  color: colorName,
  description: z.string().max(1000).optional(),
});
export type ScorecardLevel = z.output<typeof scorecardLevel>;

/** The levels of a scorecard that names none; the first is the base (api contract §3.15.3). */
export const defaultScorecardLevels: readonly Pick<ScorecardLevel, 'title' | 'color'>[] = [
  { title: 'Basic', color: 'paleBlue' },
  { title: 'Bronze', color: 'bronze' },
  { title: 'Silver', color: 'silver' },
  { title: 'Gold', color: 'gold' },
];

const written = z.strictObject({
  identifier,
  title: z.string().min(1),
  filter: scorecardQuery.optional(),
  properties: z.record(z.string(), z.json()).optional(),
  /** Clients leave out an empty list. */
  rules: z.array(scorecardRule).max(500).default([]),
  levels: z.array(scorecardLevel).min(1).max(100).optional(),
});

/** Checks that go beyond the shape. */
function checkLevels(scorecard: z.output<typeof written>, context: z.RefinementCtx): void {
  const titles = (scorecard.levels ?? defaultScorecardLevels).map(({ title }) => title);
  const fail = (message: string, ...path: PropertyKey[]) => context.addIssue({ code: 'custom', path, message });
  titles.forEach((title, index) => {
    if (titles.indexOf(title) !== index) fail('is the title of another level', 'levels', index, 'title');
  });
  const seen = new Set<string>();
  scorecard.rules.forEach((rule, index) => {
    if (seen.has(rule.identifier)) fail('is the identifier of another rule', 'rules', index, 'identifier');
    seen.add(rule.identifier);
    if (rule.level === titles[0]) fail('is the base level, which has no rules', 'rules', index, 'level');
    else if (!titles.includes(rule.level))
      fail(`must be one of: ${titles.slice(1).join(', ')}`, 'rules', index, 'level');
  });
}

/** What people write of a scorecard (api contract §3.15.1). */
export const scorecardBody = written.superRefine(checkLevels);
export type ScorecardBody = z.output<typeof scorecardBody>;

const ignored = z.unknown().optional();
const echoed = {
  id: ignored,
  _id: ignored,
  blueprint: ignored,
  createdAt: ignored,
  createdBy: ignored,
  updatedAt: ignored,
  updatedBy: ignored,
};
/** The body of clients that write back what they read: fields of the platform are ignored. */
const rewritten = written
  .extend(echoed)
  .transform(
    ({ identifier: named, title, filter, properties, rules, levels }): ScorecardBody => ({
      identifier: named,
      title,
      rules,
      ...(filter ? { filter } : {}),
      ...(properties ? { properties } : {}),
      ...(levels ? { levels } : {}),
    }),
  )
  .superRefine(checkLevels);

/** As written, including default levels. */
const scorecardSchema = written.extend({
  blueprint: z.string(),
  levels: z.array(scorecardLevel),
  createdAt: timestamp,
  createdBy: z.string(),
  updatedAt: timestamp,
  updatedBy: z.string(),
});
export type Scorecard = z.output<typeof scorecardSchema>;

/** A scorecard's result for an entity: the level reached, and each rule (api contract §3.15.4). */
const scorecardResult = z.object({
  level: z.string(),
  rules: z.array(z.object({ identifier: z.string(), status: z.enum(['SUCCESS', 'FAILURE']), level: z.string() })),
});
export type ScorecardResult = z.output<typeof scorecardResult>;

const scorecardParams = blueprintParams.extend({ scorecard_identifier: z.string().min(1).max(1000) });
const oneScorecard = z.object({ ok: z.literal(true), scorecard: scorecardSchema });
const manyScorecards = z.object({ ok: z.literal(true), scorecards: z.array(scorecardSchema) });
const ofBlueprint = '/v1/blueprints/{blueprint_identifier}/scorecards';
const common = { tag: 'Scorecards', params: blueprintParams } as const;

export const listAllScorecards = operation({
  id: 'listAllScorecards',
  method: 'GET',
  path: '/v1/scorecards',
  tag: 'Scorecards',
  summary: 'List the scorecards of all blueprints',
  access: 'token',
  answer: manyScorecards,
  errors: [],
});

export const listScorecards = operation({
  id: 'listScorecards',
  method: 'GET',
  path: ofBlueprint,
  ...common,
  summary: 'List the scorecards of a blueprint',
  access: 'token',
  answer: manyScorecards,
  errors: ['not_found'],
});

export const createScorecard = operation({
  id: 'createScorecard',
  method: 'POST',
  path: ofBlueprint,
  ...common,
  summary: 'Create a scorecard; the entities of its blueprint are evaluated',
  description:
    'An entity begins at the first level and climbs while all rules of the next level pass. Entities that the filter leaves out are not evaluated. Administrators may, and who may register entities of `_scorecard`.',
  access: 'token',
  status: 201,
  body: rewritten,
  answer: oneScorecard,
  errors: ['not_found', 'identifier_taken', 'missing_permissions'],
});

const previewLevel = z.object({
  title: z.string(),
  /** How many entities are at the level now, by the results that are stored. */
  before: z.number().int(),
  /** How many would be once the scorecard were saved. */
  after: z.number().int(),
});
const previewEntity = z.object({ identifier: z.string(), title: z.string().nullable() });
/** The level of an entity; null where the scorecard leaves it out. */
const previewedLevel = z.string().nullable();
const previewAnswer = z.object({
  ok: z.literal(true),
  /** The entities of the blueprint that the caller may read, including those that the filter leaves out. */
  total: z.number().int(),
  /** The levels of the scorecard, lowest first, then those of the saved scorecard that it no longer has. */
  levels: z.array(previewLevel),
  /** What each rule finds on the entities that the filter lets in. */
  rules: z.array(
    z.object({
      identifier: z.string(),
      passed: z.number().int(),
      failed: z.number().int(),
      failing: z.array(previewEntity).max(10),
    }),
  ),
  /** Who would change: first who falls or is left out, then who rises. */
  changed: z.array(previewEntity.extend({ from: previewedLevel, to: previewedLevel })).max(50),
  changedCount: z.number().int(),
  fallCount: z.number().int(),
  riseCount: z.number().int(),
});
export type ScorecardPreview = z.output<typeof previewAnswer>;

export const previewScorecard = operation({
  id: 'previewScorecard',
  workClass: 'bulk',
  method: 'POST',
  isReadOnly: true,
  path: `${ofBlueprint}/preview`,
  ...common,
  scope: 'create:scorecards',
  summary: 'Show what a scorecard would find once it were saved; nothing is written',
  description:
    'The body is what creating or replacing takes: a scorecard whose identifier the blueprint has is compared with the saved one, which administrators may. Refused as the write would be. Only entities that the caller may read are looked at, so a restricted token needs `read:entities` too. Takes five seconds at most, then answers `service_unavailable`. The operation has no counterpart in the public API.',
  access: 'token',
  body: rewritten,
  answer: previewAnswer,
  errors: ['not_found', 'identifier_taken', 'missing_permissions'],
});

export const replaceScorecards = operation({
  id: 'replaceScorecards',
  method: 'PUT',
  path: ofBlueprint,
  ...common,
  summary: 'Replace all scorecards of a blueprint; those that are left out are deleted',
  access: 'admin',
  body: z.array(rewritten).max(200),
  answer: manyScorecards,
  errors: ['not_found'],
});

export const getScorecard = operation({
  id: 'getScorecard',
  method: 'GET',
  path: `${ofBlueprint}/{scorecard_identifier}`,
  tag: 'Scorecards',
  summary: 'Read a scorecard',
  access: 'token',
  params: scorecardParams,
  answer: oneScorecard,
  errors: ['not_found'],
});

export const getScorecardResults = operation({
  id: 'getScorecardResults',
  workClass: 'bulk',
  method: 'GET',
  path: `${ofBlueprint}/{scorecard_identifier}/results`,
  tag: 'Scorecards',
  summary: 'Count the entities at each level of a scorecard, and those that pass and fail each rule',
  description:
    'Counts the stored results of the entities that the caller may read. The operation has no counterpart in the public API.',
  access: 'token',
  params: scorecardParams,
  answer: z.object({
    ok: z.literal(true),
    /** The entities that the scorecard measures. */
    total: z.number().int(),
    levels: z.array(z.object({ title: z.string(), count: z.number().int() })),
    rules: z.array(z.object({ identifier: z.string(), passed: z.number().int(), failed: z.number().int() })),
  }),
  errors: ['not_found'],
});

export const replaceScorecard = operation({
  id: 'replaceScorecard',
  method: 'PUT',
  path: `${ofBlueprint}/{scorecard_identifier}`,
  tag: 'Scorecards',
  summary: 'Replace a scorecard; its identifier cannot change',
  access: 'admin',
  params: scorecardParams,
  body: rewritten,
  answer: oneScorecard,
  errors: ['not_found'],
});

export const deleteScorecard = operation({
  id: 'deleteScorecard',
  method: 'DELETE',
  path: `${ofBlueprint}/{scorecard_identifier}`,
  tag: 'Scorecards',
  summary: 'Delete a scorecard with its results',
  access: 'admin',
  params: scorecardParams,
  answer: z.object({ ok: z.literal(true) }),
  errors: ['not_found'],
});

export const scorecardOperations = [
  listAllScorecards,
  listScorecards,
  createScorecard,
  previewScorecard,
  replaceScorecards,
  getScorecard,
  getScorecardResults,
  replaceScorecard,
  deleteScorecard,
] as const;
