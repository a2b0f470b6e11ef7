import { z } from 'zod';

const entityName = z.object({ identifier: z.string(), title: z.string().nullable() });

/** Entities of one blueprint: how many the caller may see, and the first of them. */
const entityGroup = z.object({
  blueprint: entityName,
  count: z.number().int(),
  sample: z.array(entityName),
});

/**
 * What would happen. `exact`: worked out by doing it and taking it back. `declared`: the operation is known, what it
 * changes is not. `unknown`: it goes to somebody else.
 */
export const effect = z.object({
  certainty: z.enum(['exact', 'declared', 'unknown']),
  summary: z.object({ verb: z.enum(['create', 'change', 'delete', 'call', 'nothing']), count: z.number().int() }),
  /** Who gets the request, or what it does there, where that is all that is known. */
  target: z.string().optional(),
  changes: z.array(
    z.object({
      blueprint: entityName,
      identifier: z.string(),
      title: z.string().nullable(),
      fields: z.array(
        z.object({ key: z.string(), title: z.string(), before: z.json().nullable(), after: z.json().nullable() }),
      ),
    }),
  ),
  /** What is deleted along. */
  dependents: z.array(entityGroup),
  /** What stays, and leads to something that is deleted. */
  referencedBy: z.array(entityGroup),
  /** Whether something of this may not be seen by the caller, and is left out. */
  isPartial: z.boolean(),
  isReversible: z.boolean(),
  /** Why it would be refused as things are. */
  problems: z.array(z.string()),
});
export type Effect = z.output<typeof effect>;
