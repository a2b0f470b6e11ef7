import { z } from 'zod';
import { invalidRequest } from '../errors.ts';
import { toIssues } from '../http/issues.ts';

/**
 * A definition whose full schema would fill a model's context: any object, described in words, and parsed with
 * `readDefinition` when the tool runs.
 */
export function definition(description: string) {
  return z.record(z.string(), z.unknown()).describe(description);
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown, argument: string) {
  try {
    return schema.safeParse(value);
  } catch (error) {
    // a recursive schema overflows the stack
    if (!(error instanceof RangeError)) throw error;
    throw invalidRequest([{ path: `/${argument}`, message: 'is nested too deeply' }], `The argument ${argument}`);
  }
}

/** Parses with the schema of the HTTP operation. @throws AppError `invalid_request` with every issue and its path */
export function readDefinition<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  argument: string,
): z.output<Schema> {
  const parsed = parse(schema, value, argument);
  if (!parsed.success) throw invalidRequest(toIssues(parsed.error, value, `/${argument}`), `The argument ${argument}`);
  return parsed.data;
}
