import { z } from 'zod';

const name = z.string().min(1).max(1000);
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
