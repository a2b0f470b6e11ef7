import { z } from 'zod';
import { operation } from './operation.ts';
import { webhookMapping } from './webhooks.ts';

const expression = z.string().min(1).max(20_000);
const entityMapping = z.looseObject({
  identifier: z.union([expression, z.record(z.string(), z.unknown())]),
  blueprint: expression.describe('A JQ text, like "\\"service\\""'),
  title: expression.optional(),
  icon: expression.optional(),
  team: z.union([expression, z.record(z.string(), z.unknown())]).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  relations: z.record(z.string(), z.unknown()).optional(),
});

/** One item of `resources`, as integrations have it in their configuration (catalog semantics §6.1). */
const resourceMapping = z.looseObject({
  kind: z.string().min(1).max(1000).optional(),
  selector: z.looseObject({ query: expression.optional() }).optional(),
  port: z.looseObject({
    itemsToParse: expression.nullish(),
    itemsToParseName: z.string().max(100).nullish(),
    entity: z.looseObject({ mappings: z.union([entityMapping, z.array(entityMapping).min(1).max(50)]) }),
  }),
});

const examples = z.array(z.record(z.string(), z.unknown())).min(1).max(20).optional();

/** The input of the tool: a resource of an integration, tried on raw data. */
export const testResourceBody = z.strictObject({
  mapping: resourceMapping.describe('One item of `resources` of the configuration'),
  examples: examples.describe('Raw data, as it comes in'),
  identifier: z.string().min(1).optional().describe('Integration whose own examples are taken if none are given'),
});

/** A mapping of an integration or of a webhook. */
const testMappingBody = z.strictObject({
  mapping: z.union([resourceMapping, webhookMapping]),
  /** Raw data of an integration, or events of a webhook: `{body, headers, queryParams}`. */
  examples,
  identifier: z.string().min(1).optional(),
});
export type TestMappingBody = z.output<typeof testMappingBody>;

const entityBody = z.record(z.string(), z.json());
const mappingTest = z.object({
  /** Index of the example. */
  example: z.number(),
  entities: z.array(entityBody),
  skipped: z.number(),
  filtered: z.boolean().optional(),
  reason: z.string().optional(),
  /** Errors of expressions, each with its place in the mapping. */
  issues: z.array(z.object({ item: z.number(), path: z.string(), message: z.string() })).optional(),
  /** What the catalog would refuse. */
  refused: z.array(z.object({ entity: z.string(), message: z.string() })).optional(),
  /** Values that would be dropped or converted. */
  warnings: z.array(z.string()).optional(),
});
export type MappingTest = z.output<typeof mappingTest>;

export const testMapping = operation({
  id: 'testMapping',
  method: 'POST',
  isReadOnly: true,
  path: '/v1/mappings/test',
  tag: 'Integrations',
  summary:
    'Try a mapping on raw data: the entities it would make, and what the catalog would refuse; nothing is written',
  description:
    'Takes one item of `resources` of an integration, or one mapping of a webhook. Without `examples` a resource is tried on those that the integration of `identifier` sent for its `kind`. The catalog is asked about the first 200 entities.',
  access: 'admin',
  scope: 'read:integrations',
  body: testMappingBody,
  unknownFields: 'closed',
  answer: z.object({ ok: z.literal(true), results: z.array(mappingTest) }),
  errors: ['not_found'],
});

export const mappingTestOperations = [testMapping] as const;
