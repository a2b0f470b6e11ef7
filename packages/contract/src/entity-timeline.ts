import { z } from 'zod';
import { entityParams } from './entities.ts';
import { operation } from './operation.ts';
import { queryMoment, queryText, timestamp } from './wire.ts';

const day = 24 * 60 * 60 * 1000;

/** The longest span of one timeline. */
export const timelineDaysMax = 400;
/** The most events of one answer; the newest are kept. */
export const timelineEventsMax = 500;

/** The most entities that are read as dependencies; those that were written last. */
export const dependenciesMax = 300;
/** The most changes of dependencies in one answer; the newest are kept. */
export const dependencyEventsMax = 200;

const include = () =>
  queryText()
    .pipe(z.literal('dependencies', { error: 'must be `dependencies`' }).optional())
    .meta({ type: 'string', enum: ['dependencies'] });

const timelineQuery = z
  .object({ from: queryMoment(), to: queryMoment(), include: include() })
  .superRefine(({ from, to }, context) => {
    const fail = (message: string) => context.addIssue({ code: 'custom', message, path: ['to'] });
    if (!from || !to) return;
    if (to < from) fail('must not be before `from`');
    else if (to.getTime() - from.getTime() > timelineDaysMax * day) {
      fail(`must be at most ${timelineDaysMax} days after \`from\``);
    }
  });

/** What an event is about. */
export const timelineKinds = ['created', 'changed', 'owner', 'timer', 'run', 'deployment', 'incident'] as const;

const timelineEvent = z.object({
  at: timestamp,
  kind: z.enum(timelineKinds),
  title: z.string(),
  /** How it went, as far as that is known. */
  outcome: z.enum(['success', 'failure', 'running', 'waiting']).optional(),
  /** Address of the person who did it. */
  by: z.string().optional(),
  /** The related entity. */
  entity: z.object({ blueprint: z.string(), identifier: z.string() }).optional(),
  /** The id of the run. */
  run: z.string().optional(),
  /** The id of the record of the audit log. */
  audit: z.string().optional(),
});
export type TimelineEvent = z.output<typeof timelineEvent>;

const dependencyEvent = timelineEvent.extend({
  /** The entity that it happened to. */
  dependency: z.object({ blueprint: z.string(), identifier: z.string(), title: z.string().optional() }),
});
export type DependencyEvent = z.output<typeof dependencyEvent>;

const dependencyChanges = z.object({
  events: z.array(dependencyEvent),
  /** Whether there are older changes, or more dependencies than are read. */
  truncated: z.boolean(),
  /** How many entities were read. */
  entities: z.int(),
});

export const getEntityTimeline = operation({
  id: 'getEntityTimeline',
  method: 'GET',
  path: '/v1/blueprints/{blueprint_identifier}/entities/{entity_identifier}/timeline',
  tag: 'Entities',
  summary: 'Read what happened to an entity, newest first',
  description: `Changes of the entity and of its owner, runs of actions on it, and related deployments and incidents, as far as the caller may read them. Without \`to\` it ends now, without \`from\` it begins thirty days before its end. At most 500 events are answered; \`truncated\` says that there are older ones. With \`include=dependencies\` the answer also has \`dependencies\`: changes, deployments and incidents of the entities that this one points to, at most ${dependencyEventsMax} of the ${dependenciesMax} entities that were written last; users, teams and other types of the platform are left out. Example: \`?from=2026-01-01T00:00:00Z&to=2026-01-31T00:00:00Z\`.`,
  access: 'token',
  params: entityParams,
  query: timelineQuery,
  answer: z.object({
    ok: z.literal(true),
    events: z.array(timelineEvent),
    truncated: z.boolean(),
    dependencies: dependencyChanges.optional(),
  }),
  errors: ['not_found'],
});

/** Larger counts are answered as this, with `exact: false`. */
export const relatedCountMax = 1000;

const relatedCount = z.object({
  /** `outward`: the entity points to them; `inward`: they point to it. */
  direction: z.enum(['outward', 'inward']),
  /** Blueprint at the other end. */
  blueprint: z.string(),
  relation: z.string(),
  count: z.int(),
  exact: z.boolean(),
});
export type RelatedCount = z.output<typeof relatedCount>;

export const countRelated = operation({
  id: 'countRelated',
  reads: 'standby',
  method: 'POST',
  isReadOnly: true,
  path: '/v1/blueprints/{blueprint_identifier}/entities/{entity_identifier}/related-counts',
  tag: 'Entities',
  summary: 'Count the related entities, by relation and direction',
  description:
    'Only entities that the caller may read are counted. Counts stop at 1,000: a larger one is answered as `1000` with `exact: false`. Relations without an entity are answered with `0`.',
  access: 'token',
  params: entityParams,
  answer: z.object({ ok: z.literal(true), counts: z.array(relatedCount) }),
  errors: ['not_found'],
});

export const entityTimelineOperations = [getEntityTimeline, countRelated] as const;
