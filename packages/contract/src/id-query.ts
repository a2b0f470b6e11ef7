import { z } from 'zod';
import { isRecord } from './json-value.ts';

const scalar = z.union([z.string(), z.number(), z.null()]);
const property = z.string().min(1).max(1100);

/** A rule of an ID-QUERY (api contract §3.2.4): a property or `$meta` of the entities that are looked for. */
export const idRule = z.discriminatedUnion('operator', [
  z.strictObject({ property, operator: z.literal('='), value: scalar }),
  z.strictObject({ property, operator: z.enum(['in', 'containsAny']), value: z.array(z.string()).max(1000) }),
  z.strictObject({
    property,
    operator: z.literal('contains'),
    value: z.union([z.string(), z.array(z.string()).max(1000), z.null()]),
  }),
]);
export type IdRule = z.output<typeof idRule>;

/** A query in place of names: the identifier, a team, or targets of a relation. */
export interface IdQuery {
  readonly combinator: 'and' | 'or';
  readonly rules: readonly (IdRule | IdQuery)[];
}

const depthMax = 10;
/** Per query with its groups: many conditions on one entity exceed what a statement can hold. */
const rulesMax = 100;

interface RuleCount {
  readonly context: z.RefinementCtx;
  rules: number;
}

/** Accepts what `names` accepts, or an object as an ID-QUERY. */
export function orIdQuery<Names extends z.ZodType>(names: Names): z.ZodType<z.output<Names> | IdQuery> {
  return z
    .unknown()
    .transform((value, context): z.output<Names> | IdQuery => {
      if (isRecord(value)) return parseGroup(value, [], 0, { context, rules: 0 }) ?? z.NEVER;
      const read = names.safeParse(value);
      if (read.success) return read.data;
      for (const issue of read.error.issues) context.issues.push({ ...issue, input: value } as z.core.$ZodRawIssue);
      return z.NEVER;
    })
    .meta(described(names)) as unknown as z.ZodType<z.output<Names> | IdQuery>;
}

export function isIdQuery(value: unknown): value is IdQuery {
  return isRecord(value);
}

function described(names: z.ZodType): Record<string, unknown> {
  const { $schema: _dialect, ...plain } = z.toJSONSchema(names, { io: 'input', unrepresentable: 'any' });
  return {
    anyOf: [
      plain,
      {
        type: 'object',
        required: ['combinator', 'rules'],
        properties: { combinator: { enum: ['and', 'or'] }, rules: { type: 'array', items: { type: 'object' } } },
        description:
          'Entities described instead of named: `{combinator, rules}`, each rule `{property, operator, value}` with `=`, `in`, `containsAny` or `contains`, or a query again. At most 100 matches.',
      },
    ],
  };
}

/** Parsed by hand so that errors name the wrong rule instead of a failed union. */
function parseGroup(
  input: Record<string, unknown>,
  path: PropertyKey[],
  depth: number,
  reading: RuleCount,
): IdQuery | undefined {
  const fail = (message: string, at: PropertyKey[] = path): undefined => {
    reading.context.addIssue({ code: 'custom', message, path: at });
    return undefined;
  };
  if (depth > depthMax) return fail(`is nested deeper than ${depthMax}`);
  const { combinator, rules, ...unknown } = input;
  for (const key of Object.keys(unknown)) fail('is not a member of a query', [...path, key]);
  if (combinator !== 'and' && combinator !== 'or') fail('must be "and" or "or"', [...path, 'combinator']);
  if (!Array.isArray(rules)) return fail('must be an array of rules', [...path, 'rules']);
  // a query without rules would match everything
  if (rules.length === 0) return fail(`must hold 1 to ${rulesMax} rules`, [...path, 'rules']);
  const isFull = reading.rules > rulesMax;
  reading.rules += rules.length;
  // report it once: the body may hold thousands of groups
  if (isFull) return undefined;
  if (reading.rules > rulesMax) {
    return fail(`must hold 1 to ${rulesMax} rules, those of inner groups included`, [...path, 'rules']);
  }
  const parsed = rules.map((rule, index) => {
    const at = [...path, 'rules', index];
    if (isRecord(rule) && 'combinator' in rule) return parseGroup(rule, at, depth + 1, reading);
    const result = idRule.safeParse(rule);
    if (result.success) return result.data;
    for (const issue of result.error.issues) fail(issue.message, [...at, ...issue.path]);
    return undefined;
  });
  return { combinator: combinator as 'and' | 'or', rules: parsed as (IdRule | IdQuery)[] };
}
