import { z } from 'zod';
import { text } from './search-values.ts';

/** A search query whose texts may hold `{{ jq }}`; it is checked after rendering. */
const templatedQuery = z.strictObject({
  combinator: z.enum(['and', 'or']),
  rules: z.array(z.record(z.string(), z.unknown())).max(1000),
});
export type TemplatedQuery = z.output<typeof templatedQuery>;

const queriesMax = 20;

/**
 * A dynamic policy of an action (api contract §3.7.2): queries over the context of the request, and JQ conditions over
 * the context and what the queries found. For `execute` a condition answers a boolean, for `approve` a list of addresses.
 */
export const actionPolicy = z.strictObject({
  queries: z
    .record(z.string().min(1).max(100), templatedQuery)
    .refine((queries) => Object.keys(queries).length > 0, 'must hold a query')
    .refine((queries) => Object.keys(queries).length <= queriesMax, `holds more than ${queriesMax} queries`),
  conditions: z.array(text.min(1).max(20_000)).min(1).max(50),
});
export type ActionPolicy = z.output<typeof actionPolicy>;
