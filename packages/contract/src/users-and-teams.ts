import { z } from 'zod';
import { operation } from './operation.ts';
import { entityIdentifier, queryBoolean, timestamp } from './wire.ts';

const path = '/v1/blueprints/system/users-and-teams-as-blueprints';

/** State of the migration; the organization itself has none. */
const usersAndTeamsStatus = z.enum([
  'NOT_STARTED',
  'PENDING',
  'RUNNING',
  'COMPLETED',
  'FAILED',
  'BLOCKED',
  'ROLLED_BACK',
]);
export type UsersAndTeamsStatus = z.output<typeof usersAndTeamsStatus>;

/** What the migration is at. Everything before `FLIPPING` is invisible, everything after it is tidying up. */
const usersAndTeamsStage = z.enum([
  'PREFLIGHT',
  'PREPARING',
  'FLIPPING',
  'APPLYING',
  'CLEARING',
  'RECOMPUTING',
  'DONE',
  'UNDOING',
]);
export type UsersAndTeamsStage = z.output<typeof usersAndTeamsStage>;

const problem = z.object({
  code: z.string(),
  message: z.string(),
  /** What to do about it. */
  fix: z.string(),
  resource: z.object({ kind: z.string(), identifier: z.string() }).optional(),
});
export type UsersAndTeamsProblem = z.output<typeof problem>;

/** What people decide before the run. */
export const usersAndTeamsChoices = z.strictObject({
  /** Title of a team → the identifier it gets, in place of the one it has; `legacy` only. */
  identifiers: z.record(z.string().min(1).max(1000), entityIdentifier).optional(),
  /** A title that several teams have → the identifier of the team that is meant; null leaves it meaning none. */
  duplicates: z.record(z.string().min(1).max(1000), entityIdentifier.nullable()).optional(),
  /** Codes of warnings that were seen. */
  acknowledged: z.array(z.string().min(1).max(100)).max(100).optional(),
});
export type UsersAndTeamsChoices = z.output<typeof usersAndTeamsChoices>;

const job = z.object({
  ok: z.literal(true),
  migrationId: z.string().nullable(),
  status: usersAndTeamsStatus,
});

const report = job.extend({
  model: z.string(),
  stage: usersAndTeamsStage.nullable(),
  counts: z.record(z.string(), z.number()),
  blockers: z.array(problem),
  message: z.string().nullable(),
  createdAt: timestamp.nullable(),
  createdBy: z.string().nullable(),
  flippedAt: timestamp.nullable(),
  finishedAt: timestamp.nullable(),
  /** Until when it can be undone. */
  undoUntil: timestamp.nullable(),
  /**
   * Who still writes as in an older model, the last first: names teams by titles, or writes a relation to teams that went,
   * which is read as the teams for 30 days. Counted anew from the moment the model changes.
   */
  oldWriters: z.array(
    z.object({
      datasource: z.string(),
      /** The client or user; null where it was not noted yet. */
      by: z.string().nullable(),
      /** What it wrote: `entity` with its blueprint, `blueprint-permissions`, `action-permissions`, … */
      resource: z.object({ kind: z.string(), identifier: z.string() }),
      blueprint: z.string().nullable(),
      relation: z.string().nullable(),
      /** The last title that it wrote. */
      title: z.string().nullable(),
      /** How many writes. */
      count: z.number(),
      firstSeen: timestamp,
      lastSeen: timestamp,
    }),
  ),
});

const resource = z.object({
  kind: z.string(),
  identifier: z.string(),
  title: z.string(),
});

/** One change the migration makes by itself; null stands for "is not there". */
const change = z.object({
  rule: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal('implied')]),
  resource,
  pointer: z.string(),
  before: z.json(),
  after: z.json(),
  note: z.string().optional(),
});
export type UsersAndTeamsChange = z.output<typeof change>;

/** A suggestion that the migration is to write right after the flip. */
const acceptance = z.object({
  itemId: z.string(),
  at: timestamp,
  by: z.string(),
  /** Whether it is what is suggested now; what is not stays unwritten. */
  isCurrent: z.boolean(),
});
export type UsersAndTeamsAcceptance = z.output<typeof acceptance>;

const plan = z
  .object({
    /** The same for the same organization, and another one if anything of the plan differs. */
    hash: z.string(),
    model: z.string(),
    /** `derived`: it gets another identifier than it has, which is the title of another team. */
    teams: z.array(
      z.object({ title: z.string(), identifier: z.string(), source: z.enum(['kept', 'derived', 'chosen']) }),
    ),
    users: z.number(),
    removedRelations: z.array(z.object({ blueprint: z.string(), relation: z.string() })),
    /** What the rules change. */
    automatic: z.array(change),
    /** What would be left broken otherwise. */
    implied: z.array(change),
    /** Names that mean several teams: titles of several, or the title of one and today's identifier of another. */
    collisions: z.array(z.object({ title: z.string(), identifiers: z.array(z.string()) })),
    /** Names that are no team's: they stay, and grant nothing. */
    unresolved: z.array(z.object({ name: z.string(), places: z.array(z.string()) })),
    blockers: z.array(problem),
    warnings: z.array(problem),
    /** What a person has to look at. */
    manual: z.array(z.json()),
    choices: usersAndTeamsChoices,
    /** Suggestions of `manual` that were accepted; `hash` does not depend on them. */
    accepted: z.array(acceptance),
  })
  .meta({ id: 'UsersAndTeamsPlan' });
export type UsersAndTeamsPlan = z.output<typeof plan>;

const access = z.object({
  kind: z.enum(['blueprint', 'action', 'page']),
  identifier: z.string(),
  operation: z.string(),
  person: z.string(),
  /** Of entities that a policy selects: how many. */
  entities: z.number().optional(),
});
export type UsersAndTeamsAccess = z.output<typeof access>;

/** An expression that gives something else afterwards, on one entity or person. */
const rehearsedExpression = z.object({
  /** The item of `manual` of the plan. */
  itemId: z.string(),
  resource,
  pointer: z.string(),
  /** Which entity or person, for people. */
  of: z.string(),
  before: z.json(),
  after: z.json(),
  /** What it gives as it is suggested. */
  suggested: z.json().optional(),
});
export type UsersAndTeamsExpression = z.output<typeof rehearsedExpression>;

const rehearsal = z
  .object({
    hash: z.string(),
    /** Who may do something afterwards that they may not do now. */
    gained: z.array(access),
    lost: z.array(access),
    /** Names in rights that are no team's; they grant nothing before and after. */
    dangling: z.array(z.object({ name: z.string(), places: z.array(z.string()) })),
    /** Expressions that give something else afterwards as they are, on entities and people as they are now. */
    expressions: z.array(rehearsedExpression),
    checked: z.object({
      people: z.number(),
      blueprints: z.number(),
      actions: z.number(),
      pages: z.number(),
      /** How often an expression was tried. */
      expressions: z.number(),
    }),
    /** Whether there were more differences than are listed. */
    isCut: z.boolean(),
  })
  .meta({ id: 'UsersAndTeamsRehearsal' });
export type UsersAndTeamsRehearsal = z.output<typeof rehearsal>;

/** When a suggestion was applied, and by whom. */
const application = z.object({ at: timestamp, by: z.string() });

const suggested = z
  .object({
    itemId: z.string(),
    resource,
    /** Each place of the document that it changes; null stands for "is not there". */
    changes: z.array(z.object({ pointer: z.string(), before: z.json(), after: z.json() })),
    /** Null where it is not applied: after a dry run, or once it was taken back. */
    applied: application.nullable(),
  })
  .meta({ id: 'UsersAndTeamsSuggestion' });
export type UsersAndTeamsSuggestion = z.output<typeof suggested>;

const verification = z
  .object({
    items: z.array(
      z.object({
        /** As it was when the migration began, in the words of `manual` of the plan. */
        item: z.json(),
        /** `done`: nothing of it is left. `broken`: it still breaks, or nobody can tell. `mentions`: what is left works. */
        state: z.enum(['done', 'broken', 'mentions']),
        /** As it is found now; null where it is done. */
        now: z.json(),
        /** What stands at its place now, whether or not it refers to teams; null where nothing does. */
        current: z.json(),
        /** Whether its suggestion was applied here, and not by hand. */
        applied: application.nullable(),
        /** That it was accepted before, and what the run made of it; `message` says why it was refused. */
        accepted: application
          .extend({ state: z.enum(['due', 'applied', 'refused']), message: z.string().nullable() })
          .nullable(),
      }),
    ),
  })
  .meta({ id: 'UsersAndTeamsVerification' });
export type UsersAndTeamsVerification = z.output<typeof verification>;

const tag = 'Migrations';
const shared = { tag, access: 'admin' } as const;

export const startUsersAndTeams = operation({
  ...shared,
  id: 'startUsersAndTeams',
  method: 'POST',
  path,
  summary: 'Turn users and teams into blueprints, once and for the whole organization',
  description:
    'Takes no body. A second call joins the run that is under way. `POST …/rollback` undoes it for some days.',
  scope: 'create:migrations',
  status: 202,
  answer: job,
  errors: ['already_on_new_model', 'migration_blocked', 'migration_in_progress'],
});

export const getUsersAndTeams = operation({
  ...shared,
  id: 'getUsersAndTeams',
  method: 'GET',
  path,
  summary: 'Read how far the migration of users and teams is',
  scope: 'read:migrations',
  answer: report,
  errors: [],
});

export const planUsersAndTeams = operation({
  ...shared,
  id: 'planUsersAndTeams',
  workClass: 'bulk',
  method: 'GET',
  path: `${path}/plan`,
  summary: 'Read what the migration of users and teams would change, and what is left to people',
  description: 'Writes nothing. What it says under `automatic` and `implied` is what the run does.',
  scope: 'read:migrations',
  answer: z.object({ ok: z.literal(true), plan }),
  errors: ['already_on_new_model'],
});

export const chooseForUsersAndTeams = operation({
  ...shared,
  id: 'chooseForUsersAndTeams',
  method: 'PUT',
  path: `${path}/overrides`,
  summary: 'Decide identifiers of teams, and which team an ambiguous title means',
  scope: 'update:migrations',
  body: usersAndTeamsChoices,
  unknownFields: 'closed',
  answer: z.object({ ok: z.literal(true), choices: usersAndTeamsChoices }),
  errors: ['already_on_new_model', 'migration_in_progress'],
});

const acceptances = z.strictObject({
  /** Each with the `value` of its suggestion, as it was read. */
  accept: z
    .array(z.strictObject({ itemId: z.string().min(1).max(100), value: z.json() }))
    .max(500)
    .optional(),
  /** Items whose suggestion is not to be written after all. */
  withdraw: z.array(z.string().min(1).max(100)).max(500).optional(),
});
export type UsersAndTeamsAcceptances = z.output<typeof acceptances>;

export const acceptUsersAndTeamsSuggestions = operation({
  ...shared,
  id: 'acceptUsersAndTeamsSuggestions',
  method: 'POST',
  path: `${path}/acceptances`,
  summary: 'Accept suggestions of the plan, which the migration of users and teams then writes right after the flip',
  description:
    'Before the organization is migrated. All that are named are taken, or none. Undoing the migration takes what was written back.',
  scope: 'update:migrations',
  body: acceptances,
  unknownFields: 'closed',
  answer: z.object({ ok: z.literal(true), accepted: z.array(acceptance) }),
  errors: ['already_on_new_model', 'migration_in_progress', 'stale_version'],
});

export const rehearseUsersAndTeams = operation({
  ...shared,
  id: 'rehearseUsersAndTeams',
  workClass: 'bulk',
  method: 'POST',
  path: `${path}/rehearse`,
  summary: 'Compare who may do what before and after the migration of users and teams',
  description: 'Writes nothing.',
  scope: 'read:migrations',
  answer: z.object({ ok: z.literal(true), rehearsal }),
  errors: ['already_on_new_model'],
});

export const verifyUsersAndTeams = operation({
  ...shared,
  id: 'verifyUsersAndTeams',
  workClass: 'bulk',
  method: 'GET',
  path: `${path}/verify`,
  summary: 'Read what has become of what the migration of users and teams left to people',
  description: 'Looks at everything as it is now. Writes nothing.',
  scope: 'read:migrations',
  answer: z.object({ ok: z.literal(true), verification }),
  errors: ['not_found'],
});

const itemParams = z.object({ item_id: z.string().min(1).max(100) });
const suggestionAnswer = z.object({ ok: z.literal(true), suggestion: suggested });

export const applyUsersAndTeamsSuggestion = operation({
  ...shared,
  id: 'applyUsersAndTeamsSuggestion',
  method: 'POST',
  path: `${path}/items/{item_id}/apply`,
  summary: 'Write what is suggested for something that the migration of users and teams left to people',
  description:
    'Once the organization is migrated. `dry_run` tells what it would change and writes nothing. Refused where the place is no longer what it was when the migration began. A second call changes nothing.',
  scope: 'update:migrations',
  params: itemParams,
  query: z.object({ dry_run: queryBoolean() }),
  answer: suggestionAnswer,
  errors: ['not_found', 'stale_version', 'not_migrated', 'migration_in_progress'],
});

export const revertUsersAndTeamsSuggestion = operation({
  ...shared,
  id: 'revertUsersAndTeamsSuggestion',
  method: 'POST',
  path: `${path}/items/{item_id}/revert`,
  summary: 'Take an applied suggestion back',
  description: 'Refused where the place was changed since. Undoing the migration takes all of them back.',
  scope: 'update:migrations',
  params: itemParams,
  answer: suggestionAnswer,
  errors: ['not_found', 'stale_version', 'not_migrated', 'migration_in_progress'],
});

export const undoUsersAndTeams = operation({
  ...shared,
  id: 'undoUsersAndTeams',
  method: 'POST',
  path: `${path}/rollback`,
  summary: 'Undo the migration of users and teams; what was written since is kept',
  scope: 'update:migrations',
  status: 202,
  answer: job,
  errors: ['not_found', 'migration_in_progress', 'not_undoable'],
});

export const usersAndTeamsOperations = [
  startUsersAndTeams,
  getUsersAndTeams,
  planUsersAndTeams,
  chooseForUsersAndTeams,
  acceptUsersAndTeamsSuggestions,
  rehearseUsersAndTeams,
  verifyUsersAndTeams,
  applyUsersAndTeamsSuggestion,
  revertUsersAndTeamsSuggestion,
  undoUsersAndTeams,
] as const;
