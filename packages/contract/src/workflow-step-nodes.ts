import { z } from 'zod';

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

/** Tells people something: users and teams by mail, others by a message to an address. */
export const notifyNode = z.looseObject({
  type: z.literal('NOTIFY'),
  target: z.enum(['email', 'webhook', 'slack']),
  /** Users and teams of a mail; else one address. */
  to: z.union([text.min(1), z.array(text.min(1)).min(1).max(100)]),
  subject: text.nullish(),
  body: text.nullish(),
  onFailure,
});
