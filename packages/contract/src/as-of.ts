import { z } from 'zod';
import { timestamp } from './wire.ts';

/** A part of a past state that the journal does not tell, and why; the part is absent from the answer. */
export const unknownPart = z.object({ path: z.string(), reason: z.string() });
export type UnknownPart = z.output<typeof unknownPart>;

/** What an answer about the past says of itself. */
export const asOfEntity = z.object({
  at: timestamp,
  /** The last recorded change before; null if the journal has none. */
  changedAt: timestamp.nullable(),
  /** The first recorded change after; null if there was none. */
  nextChangeAt: timestamp.nullable(),
  /** When the entity was deleted afterwards; null if it still exists. */
  deletedAt: timestamp.nullable(),
  unknown: z.array(unknownPart),
});
export type AsOfEntity = z.output<typeof asOfEntity>;

/** The same of a page of entities. */
export const asOfPage = z.object({
  at: timestamp,
  /** What is not known of any of them. */
  unknown: z.array(unknownPart),
  /** What else is not known of some. */
  entities: z.array(z.object({ identifier: z.string(), unknown: z.array(unknownPart) })),
  /** Those that may or may not match: what a rule compares is not known of them. */
  undecided: z.array(z.string()),
  /** Whether entities that were deleted since are among them; administrators alone see those. */
  includesDeleted: z.boolean(),
});
export type AsOfPage = z.output<typeof asOfPage>;
