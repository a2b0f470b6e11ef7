import { z } from 'zod';
import { operation } from './operation.ts';
import { entityIdentifier, queryBoolean, timestamp } from './wire.ts';

const path = '/v1/blueprints/system/users-and-teams-as-blueprints';

/** States of the migration; the organization itself has none. */
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

/** Steps of the migration. Those before `FLIPPING` are invisible, those after it tidy up. */
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

/** Decisions to take before the run. */
const usersAndTeamsChoices = z.strictObject({
  /** Title of a team → its new identifier; only in `legacy`. */
  identifiers: z.record(z.string().min(1).max(1000), entityIdentifier).optional(),
  /** Title of several teams → identifier of the intended one; null means none. */
  duplicates: z.record(z.string().min(1).max(1000), entityIdentifier.nullable()).optional(),
  /** Codes of warnings that were read. */
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
  /** When the undo window ends. */
  undoUntil: timestamp.nullable(),
  /**
   * Who still writes the old way, most recent first: titles of teams, or a removed relation to teams, which is read as
   * teams for 30 days. Counted from the change of the model.
   */
  oldWriters: z.array(
    z.object({
      datasource: z.string(),
      /** The client or user; null if not recorded yet. */
      by: z.string().nullable(),
      /** What it wrote: `entity` with its blueprint, `blueprint-permissions`, `action-permissions`, … */
      resource: z.object({ kind: z.string(), identifier: z.string() }),
      blueprint: z.string().nullable(),
      relation: z.string().nullable(),
      /** The last title written. */
      title: z.string().nullable(),
      /** Number of writes. */
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

/** An automatic change; null stands for "is not there". */
const change = z.object({
  rule: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal('implied')]),
  resource,
  pointer: z.string(),
  before: z.json(),
  after: z.json(),
  note: z.string().optional(),
});
export type UsersAndTeamsChange = z.output<typeof change>;

/** A suggestion to apply right after the flip. */
const acceptance = z.object({
  itemId: z.string(),
  at: timestamp,
  by: z.string(),
  /** Whether it still equals the suggestion; otherwise it is not applied. */
  isCurrent: z.boolean(),
});
export type UsersAndTeamsAcceptance = z.output<typeof acceptance>;

const plan = z
  .object({
    /** Depends on the plan alone: equal plans of an organization have equal hashes. */
    hash: z.string(),
    model: z.string(),
    /** `derived`: its identifier changes because it is the title of another team. */
    teams: z.array(
      z.object({ title: z.string(), identifier: z.string(), source: z.enum(['kept', 'derived', 'chosen']) }),
    ),
    users: z.number(),
    removedRelations: z.array(z.object({ blueprint: z.string(), relation: z.string() })),
    /** Changes by the rules. */
    automatic: z.array(change),
    /** Follow-up changes without which something would break. */
    implied: z.array(change),
    /** Names with several meanings: the title of several teams, or the title of one and the identifier of another. */
    collisions: z.array(z.object({ title: z.string(), identifiers: z.array(z.string()) })),
    /** Names that match no team: they stay and grant nothing. */
    unresolved: z.array(z.object({ name: z.string(), places: z.array(z.string()) })),
    blockers: z.array(problem),
    warnings: z.array(problem),
    /** Items for people. */
    manual: z.array(z.json()),
    choices: usersAndTeamsChoices,
    /** Accepted suggestions of `manual`; `hash` does not depend on them. */
    accepted: z.array(acceptance),
  })
  .meta({ id: 'UsersAndTeamsPlan' });
export type UsersAndTeamsPlan = z.output<typeof plan>;

const access = z.object({
  kind: z.enum(['blueprint', 'action', 'page']),
  identifier: z.string(),
  operation: z.string(),
  person: z.string(),
  /** Number of entities, if a policy selects them. */
  entities: z.number().optional(),
});
export type UsersAndTeamsAccess = z.output<typeof access>;

/** An expression whose value changes, on one entity or person. */
const rehearsedExpression = z.object({
  /** The id in `manual` of the plan. */
  itemId: z.string(),
  resource,
  pointer: z.string(),
  /** The entity or person. */
  of: z.string(),
  before: z.json(),
  after: z.json(),
  /** The value of the suggested expression. */
  suggested: z.json().optional(),
});
export type UsersAndTeamsExpression = z.output<typeof rehearsedExpression>;

const rehearsal = z
  .object({
    hash: z.string(),
    /** People who gain access. */
    gained: z.array(access),
    lost: z.array(access),
    /** Names in rights that match no team; they grant nothing before and after. */
    dangling: z.array(z.object({ name: z.string(), places: z.array(z.string()) })),
    /** Expressions whose value changes, on entities and people as they are now. */
    expressions: z.array(rehearsedExpression),
    checked: z.object({
      people: z.number(),
      blueprints: z.number(),
      actions: z.number(),
      pages: z.number(),
      /** Expressions evaluated. */
      expressions: z.number(),
    }),
    /** Whether more differences exist than are listed. */
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
    /** Changed places of the document; null stands for "is not there". */
    changes: z.array(z.object({ pointer: z.string(), before: z.json(), after: z.json() })),
    /** Null if not applied: after a dry run or a revert. */
    applied: application.nullable(),
  })
  .meta({ id: 'UsersAndTeamsSuggestion' });
export type UsersAndTeamsSuggestion = z.output<typeof suggested>;

const verification = z
  .object({
    items: z.array(
      z.object({
        /** The item at the start of the migration, as in `manual` of the plan. */
        item: z.json(),
        /**
         * `done`: nothing is left. `broken`: it still breaks, or this cannot be told. `mentions`: what is left works.
         */
        state: z.enum(['done', 'broken', 'mentions']),
        /** As found now; null if done. */
        now: z.json(),
        /** The content of its place now, whether or not it refers to teams; null if there is none. */
        current: z.json(),
        /** Set if its suggestion was applied here rather than by hand. */
        applied: application.nullable(),
        /** Set if it was accepted before the run; `message` says why it was refused. */
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
  /** Each with the `value` of its suggestion as the caller read it. */
  accept: z
    .array(z.strictObject({ itemId: z.string().min(1).max(100), value: z.json() }))
    .max(500)
    .optional(),
  /** Items to withdraw from the accepted ones. */
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
  isReadOnly: true,
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
