import { z } from 'zod';

/** Identifier of a blueprint (api contract §1.9): Unicode letters, digits and `@_.+:\/-`, but not `.` or `..`. */
export const blueprintIdentifier = z
  .string()
  .min(1)
  .max(100)
  .regex(/^(?!\.{1,2}$)[\p{L}0-9@_.+:\\/-]+$/u, 'may hold letters, digits and @ _ . + : \\ / - only');

/** Identifier of an entity (api contract §1.9): as of a blueprint, and `=`. */
export const entityIdentifier = z
  .string()
  .min(1)
  .max(1000)
  .regex(/^(?!\.{1,2}$)[\p{L}0-9@_.+:\\/=-]+$/u, 'may hold letters, digits and @ _ . + : \\ / = - only');

/** The local part may hold any character that RFC 5322 allows outside quotes, and letters of any script. */
export const userAddress = z
  .string()
  .min(3)
  .max(320)
  .regex(/^[\p{L}\p{M}0-9!#$%&'*+/=?^_`{|}~.-]+@[\p{L}\p{M}0-9.-]+$/u, 'must be an e-mail address');

/** An address (users) or an `entityIdentifier`. */
export const anyEntityIdentifier = z
  .string()
  .min(1)
  .max(1000)
  .regex(
    /^(?!\.{1,2}$)(?:[\p{L}0-9@_.+:\\/=-]+|[\p{L}\p{M}0-9!#$%&'*+/=?^_`{|}~.-]+@[\p{L}\p{M}0-9.-]+)$/u,
    'may hold letters, digits and @ _ . + : \\ / = - only',
  );

/** Key of a property, relation, mirror, calculation or aggregation (api contract §1.9). */
export const propertyKey = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[A-Za-z0-9@_=\\-]+$/, 'may hold letters, digits and @ _ = \\ - only');

/** An optional field; null counts as absent, because some clients write what they do not have. */
export function absentIfNull<Value extends z.ZodType>(value: Value) {
  return value
    .nullable()
    .transform((given) => given ?? undefined)
    .optional();
}

/** A moment, ISO 8601 in UTC with milliseconds. */
export const timestamp = z.iso.datetime();

const truths = new Set(['true', '1', 'yes']);

/**
 * A boolean parameter. Accepts `true`, `1`, `yes` and their opposites in any case; other text counts as absent, because
 * one client prints a pointer (api contract §1.11).
 */
export function queryBoolean(defaultValue = false) {
  return z
    .union([z.string(), z.array(z.string()), z.boolean()])
    .optional()
    .transform((value): boolean => {
      if (value === undefined) return defaultValue;
      if (typeof value === 'boolean') return value;
      const text = (Array.isArray(value) ? (value.at(-1) ?? '') : value).toLowerCase();
      if (truths.has(text)) return true;
      return ['false', '0', 'no'].includes(text) ? false : defaultValue;
    })
    .meta({ type: 'boolean', default: defaultValue });
}

/** Like `queryBoolean`, but undefined if absent or unreadable. */
export function queryFlag() {
  return z
    .union([z.string(), z.array(z.string()), z.boolean()])
    .optional()
    .transform((value): boolean | undefined => {
      if (value === undefined || typeof value === 'boolean') return value;
      const text = (Array.isArray(value) ? (value.at(-1) ?? '') : value).toLowerCase();
      if (truths.has(text)) return true;
      return ['false', '0', 'no'].includes(text) ? false : undefined;
    })
    .meta({ type: 'boolean' });
}

/** A boolean parameter that a write depends on: other text is refused. */
export function strictQueryBoolean() {
  return z
    .union([z.string(), z.array(z.string()), z.boolean()])
    .optional()
    .transform((value, context): boolean => {
      if (value === undefined || value === '') return false;
      const text = String(Array.isArray(value) ? value.at(-1) : value).toLowerCase();
      if (truths.has(text)) return true;
      if (['false', '0', 'no'].includes(text)) return false;
      context.addIssue({ code: 'custom', message: 'must be true or false' });
      return z.NEVER;
    })
    .meta({ type: 'boolean', default: false });
}

/** A list parameter: repeated, comma-joined, or both. */
export function queryList() {
  return z
    .union([z.string(), z.array(z.string())])
    .optional()
    .transform((value): string[] | undefined => {
      if (value === undefined) return undefined;
      const parts = (Array.isArray(value) ? value : [value]).flatMap((part) => part.split(',')).filter(Boolean);
      return parts.length > 0 ? parts : undefined;
    })
    .meta({ type: 'array', items: { type: 'string' } });
}

/** A text parameter; empty counts as absent. */
export function queryText() {
  return z
    .union([z.string(), z.array(z.string())])
    .optional()
    .transform((value): string | undefined => (Array.isArray(value) ? value.at(-1) : value) || undefined)
    .meta({ type: 'string' });
}

/** A moment as a parameter, with an offset; empty counts as absent. */
export const queryMoment = () =>
  queryText()
    // rules over several parameters read moments, and are not asked about what is none
    .pipe(z.iso.datetime({ offset: true, error: 'must be an ISO date-time', abort: true }).optional())
    .transform((text) => (text === undefined ? undefined : new Date(text)))
    .meta({ type: 'string', format: 'date-time' });

/** A whole number within bounds; empty counts as absent. */
export function queryInteger(bounds: { min: number; max: number; default: number }) {
  const whole = z.coerce.number<string | number>({ error: 'must be a number' }).int().min(bounds.min).max(bounds.max);
  return z
    .union([z.string(), z.array(z.string()), z.number()])
    .optional()
    .transform((value) => (Array.isArray(value) ? value.at(-1) : value))
    .transform((value) => (value === '' || value === undefined ? bounds.default : value))
    .pipe(whole)
    .meta({ type: 'integer', minimum: bounds.min, maximum: bounds.max, default: bounds.default });
}

/** `updatedAt` as the caller read it; if it has changed, the write is refused with `stale_version`. */
export const readVersion = z.iso.datetime({ offset: true });
