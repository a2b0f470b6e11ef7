import { z } from 'zod';
import { triggerCondition, triggerEvents } from './workflow-trigger-nodes.ts';

const name = z.string().min(1).max(1000);
/** May hold `{{ jq }}`. */
const text = z.string().max(100_000);
const onFailure = z.enum(['terminate', 'continue']).nullish();

export const fetchedEntitiesMax = 1_000;

/** Reads entities, as far as whoever saved the workflow may see them. */
export const fetchNode = z.looseObject({
  type: z.literal('FETCH'),
  blueprintIdentifier: name,
  /** A search query; values may hold templates. All entities without one. */
  query: z.looseObject({ combinator: z.enum(['and', 'or']), rules: z.array(z.unknown()).max(1000) }).nullish(),
  /** Keys of the entities that are kept; all without it. */
  include: z.array(z.string().min(1).max(1000)).max(1000).nullish(),
  limit: z.number().int().min(1).max(fetchedEntitiesMax).nullish(),
  /** One entity is expected: none gives null, several fail the step. */
  single: z.boolean().nullish(),
  onFailure,
});

/** Runs a self-service action, and waits until its run has ended. */
export const runActionNode = z.looseObject({
  type: z.literal('RUN_ACTION'),
  actionIdentifier: name,
  /** The entity that the action acts on. */
  entityIdentifier: text.nullish(),
  properties: z.record(z.string(), z.unknown()).nullish(),
  /** Without the end of the run by then the step fails; 30 days by default. */
  timeoutSeconds: z
    .number()
    .min(1)
    .max(90 * 86_400)
    .nullish(),
  onFailure,
});

/** Tells people something: users and teams in the portal or by mail, others by a message to an address. */
export const notifyNode = z.looseObject({
  type: z.literal('NOTIFY'),
  target: z.enum(['portal', 'email', 'webhook', 'slack']),
  /** Users and teams of a notice or a mail; else one address. */
  to: z.union([text.min(1), z.array(text.min(1)).min(1).max(100)]),
  subject: text.nullish(),
  body: text.nullish(),
  /** Where a notice in the portal leads: `https:`, or a path of the portal; to its run by default. */
  link: text.nullish(),
  onFailure,
});

/** Waits until something happens to an entity. */
export const waitForEventNode = z.looseObject({
  type: z.literal('WAIT_FOR_EVENT'),
  event: z.looseObject({
    type: z.enum(triggerEvents),
    blueprintIdentifier: name,
    propertyIdentifier: name.nullish(),
  }),
  /** Over the event; `$outputs` is what the steps before gave. */
  condition: triggerCondition.nullish(),
  /** Seven days by default. */
  timeoutSeconds: z
    .number()
    .min(1)
    .max(90 * 86_400)
    .nullish(),
  onTimeout: z.enum(['fail', 'continue']).nullish(),
  /** Looks back, once, at what happened since the run began. */
  since: z.literal('run-start').nullish(),
  onFailure,
});
