import { z } from 'zod';

/** A JQ expression in the place of a value. */
export const jqQuery = z.strictObject({ jqQuery: z.string().min(1).max(10_000) });
export type JqQuery = z.output<typeof jqQuery>;

const orJq = <Schema extends z.ZodType>(schema: Schema) => z.union([schema, jqQuery]);
const truth = orJq(z.boolean());

const inputTypes = ['string', 'number', 'boolean', 'object', 'array'] as const;

/**
 * One input of a form (api contract §3.5.3). Every key is kept as written, because clients compare them; one client
 * prints null for a key that is not set.
 */
const actionInput = z.looseObject({
  type: z.enum(inputTypes),
  title: z.string().max(1000).nullish(),
  description: z.string().max(5000).nullish(),
  icon: z.string().max(200).nullish(),
  format: z.string().max(100).nullish(),
  pattern: orJq(z.string().max(5000)).nullish(),
  enum: orJq(z.array(z.union([z.string(), z.number()])).max(5000)).nullish(),
  minLength: z.number().nullish(),
  maxLength: z.number().nullish(),
  minimum: z.number().nullish(),
  maximum: z.number().nullish(),
  minItems: orJq(z.number()).nullish(),
  maxItems: orJq(z.number()).nullish(),
  items: z.record(z.string(), z.unknown()).nullish(),
  blueprint: z.string().max(1000).nullish(),
  dependsOn: z.array(z.string()).nullish(),
  dataset: z.looseObject({ combinator: z.enum(['and', 'or']), rules: z.array(z.unknown()) }).nullish(),
  sort: z.strictObject({ property: z.string().min(1), order: z.enum(['ASC', 'DESC']) }).nullish(),
  visible: truth.nullish(),
  disabled: truth.nullish(),
  encryption: z
    .union([z.literal('aes256-gcm'), z.strictObject({ algorithm: z.literal('client-side'), key: z.string().min(1) })])
    .nullish(),
  jqQuery: z.null().optional(),
});
export type ActionInput = z.output<typeof actionInput>;

const inputKey = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[A-Za-z0-9@_=\\-]+$/, 'may hold letters, digits and @ _ = \\ - only');

const heading = z.strictObject({
  title: z.string().min(1).max(140),
  description: z.string().max(1000).nullish(),
  visible: truth.nullish(),
});
const step = z.strictObject({
  title: z.string().min(1).max(200),
  order: z.array(z.string()).nullish(),
  visible: truth.nullish(),
});

/** The form of an action: `order` and `steps` exclude each other (catalog semantics §4.2). */
export const userInputs = z.strictObject({
  properties: z.record(inputKey, actionInput),
  required: orJq(z.array(z.string())).nullish(),
  titles: z.record(z.string(), heading).nullish(),
  order: z.array(z.string()).nullish(),
  steps: z.array(step).nullish(),
});
export type UserInputs = z.output<typeof userInputs>;
