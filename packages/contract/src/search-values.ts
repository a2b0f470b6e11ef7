import { z } from 'zod';

/** Ranges relative to now, in UTC (catalog semantics §3.4). */
export const datePreset = z.enum([
  'today',
  'yesterday',
  'tomorrow',
  'lastDay',
  'lastWeek',
  'last2Weeks',
  'lastMonth',
  'last3Months',
  'last6Months',
  'last12Months',
  'last2Years',
  'last3Years',
  'nextDay',
  'nextWeek',
  'next2Weeks',
  'nextMonth',
  'next3Months',
  'next6Months',
  'next12Months',
]);
export type DatePreset = z.output<typeof datePreset>;

/** Whether a database can hold the text: no NUL, no unpaired surrogate. */
function isStorable(text: string): boolean {
  return !text.includes('\0') && isWellFormed(text);
}

function isWellFormed(text: string): boolean {
  // an unpaired surrogate is the one thing a URI cannot carry
  try {
    encodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

export const text = z.string().refine(isStorable, 'holds a character that cannot be stored');

/** A property key, a `$meta` name, or `labels.key` into an object property. */
export const propertyName = text.min(1).max(1100);

/** A property of the caller, or of each of the caller's teams (catalog semantics §3.7). */
export const contextValue = z.strictObject({ context: z.enum(['user', 'userTeams']), property: propertyName });
export type ContextValue = z.output<typeof contextValue>;

/** The left side of a rule: a property of the entity or of the caller. */
export const propertyRef = z.union([propertyName, contextValue]);

/** A day means its midnight; without an offset the moment is in UTC. */
export const moment = z.union([z.iso.datetime({ offset: true, local: true }), z.iso.date()], {
  error: 'must be an ISO date-time',
});

export const scalar = z.union([text, z.number(), z.boolean(), z.null()]);
export type Scalar = z.output<typeof scalar>;

export const presetRange = z.strictObject({ preset: datePreset });
export const momentRange = z.strictObject({ from: moment, to: moment });
export const dateRange = z.union([momentRange, presetRange]);
export type DateRange = z.output<typeof dateRange>;

const hop = z.union([
  text.min(1).max(100),
  z.strictObject({ relation: text.min(1).max(100), maxHops: z.number().int().min(1).max(15) }),
]);
export type PathHop = z.output<typeof hop>;

/** A path of relations with at most one `{relation, maxHops}` (catalog semantics §3.6). */
export const pathRef = z.strictObject({
  path: z
    .array(hop)
    .min(1)
    .max(20)
    .refine((hops) => hops.filter((each) => typeof each !== 'string').length <= 1, 'holds more than one maxHops'),
  fromBlueprint: text.min(1).max(1000).optional(),
});
export type PathRef = z.output<typeof pathRef>;

const schemaType = z.enum(['string', 'number', 'boolean', 'object', 'array']);

/** Stands for any property of this type. */
export const propertySchemaRef = z.strictObject({
  type: schemaType,
  format: text.optional(),
  items: z.strictObject({ type: schemaType, format: text.optional() }).optional(),
});
