import type { JqValue } from '@portolan/jq';
import { z } from 'zod';
import type { Actor } from '../../platform/actor.ts';
import { invalidRequest } from '../../platform/errors.ts';
import type { IntegrationsDeps } from './integrations.deps.ts';
import { listKinds } from './sync/examples.ts';
import { mapEvent } from './webhooks/map-event.ts';

const expression = z.string().min(1).max(10_000);

/** One resource of a mapping, as integrations have it in their configuration (catalog semantics §6.4). */
const resource = z.looseObject({
  kind: z.string().min(1).max(1000).optional(),
  selector: z.looseObject({ query: expression.optional() }).optional(),
  port: z.looseObject({
    itemsToParse: expression.nullish(),
    entity: z.looseObject({
      mappings: z.looseObject({
        identifier: z.union([expression, z.record(z.string(), z.unknown())]),
        blueprint: expression.describe('A JQ text, like "\\"service\\""'),
        title: expression.optional(),
        icon: expression.optional(),
        team: z.union([expression, z.record(z.string(), z.unknown())]).optional(),
        properties: z.record(z.string(), z.unknown()).optional(),
        relations: z.record(z.string(), z.unknown()).optional(),
      }),
    }),
  }),
});

export const testMappingInput = z.strictObject({
  mapping: resource.describe('One item of `resources` of the configuration'),
  examples: z.array(z.record(z.string(), z.unknown())).min(1).max(20).optional().describe('Raw data, as it comes in'),
  identifier: z.string().min(1).optional().describe('Integration whose own examples are taken if none are given'),
});

const millisecondsMax = 5_000;

/**
 * What a mapping makes of raw data; nothing is written.
 * @throws AppError `invalid_request` if there is nothing to try it on, `not_found`, `missing_permissions`
 */
export async function testMapping(deps: IntegrationsDeps, actor: Actor, input: z.output<typeof testMappingInput>) {
  const { selector, port } = input.mapping;
  const { itemsToParse, entity } = port;
  const written = {
    blueprint: entity.mappings.blueprint,
    filter: selector?.query ?? null,
    itemsToParse: itemsToParse ?? null,
    entity: entity.mappings,
  } as unknown as Parameters<typeof mapEvent>[0];
  const examples = input.examples ?? (await storedExamples(deps, actor, input));
  const until = performance.now() + millisecondsMax;
  const clock = {
    now: deps.clock.now(),
    isOver: async () => {
      await new Promise(setImmediate);
      return performance.now() > until;
    },
  };
  const results = [];
  for (const [example, raw] of examples.entries()) {
    const root = raw as unknown as Parameters<typeof mapEvent>[1];
    const { items, issues, skipped, reason, isFiltered } = await mapEvent(written, root, clock);
    const blueprint = blueprintOf(entity.mappings.blueprint);
    results.push({
      example,
      entities: items.map(({ body }) => ({ blueprint, ...body })),
      skipped,
      ...(isFiltered ? { filtered: true } : {}),
      ...(reason === null ? {} : { reason }),
      ...(issues.length > 0 ? { issues } : {}),
    });
  }
  return { results };
}

async function storedExamples(
  { database }: IntegrationsDeps,
  actor: Actor,
  { identifier, mapping }: z.output<typeof testMappingInput>,
): Promise<readonly { readonly [key: string]: JqValue }[]> {
  const kinds = identifier === undefined ? {} : await listKinds(database, actor, identifier);
  const found = kinds[mapping.kind ?? '']?.examples ?? [];
  if (found.length > 0) return found.map(({ data }) => data as { readonly [key: string]: JqValue });
  const message = 'are needed: the integration sent none for this kind';
  throw invalidRequest([{ path: '/examples', message }], 'The call');
}

/** A blueprint is nearly always written as a text in JQ; anything else is shown as it is written. */
function blueprintOf(written: string): string {
  return /^\s*(["'])([^"'\\]+)\1\s*$/.exec(written)?.[2] ?? written;
}
