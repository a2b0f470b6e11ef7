import type { MappingTest, TestMappingBody } from '@portolan/contract/mapping-tests';
import {
  type EventMapping,
  type MapContext,
  type MappedItem,
  type MappingPath,
  mapEvent,
  mappingsOfResource,
} from '@portolan/jq';
import type { Actor, ClientKind } from '../../platform/actor.ts';
import { AppError, invalidRequest } from '../../platform/errors.ts';
import { shareTime } from '../../platform/evaluation-time.ts';
import { mapWithin } from '../../platform/expressions.ts';
import { bulkUpsertEntities } from '../entities/index.ts';
import type { IntegrationsDeps } from './integrations.deps.ts';
import { listKinds } from './sync/examples.ts';
import { mappingOperation } from './webhooks/webhook.ts';

/** For all expressions of one call. */
const togetherMs = 5_000;
/** The flags that real writes of webhooks and integrations use, plus validation only. */
const rehearsal = { upsert: true, merge: true, validation_only: true, create_missing_related_entities: true } as const;
/** Items per validating write. */
const chunkMax = 20;
const refusedMax = 20;
/** Bounds the entities that one call validates, however many the mapping produces. */
const checkedMax = 200;

type Example = Parameters<typeof mapEvent>[1];

/** One mapping to test: its blueprint, and the position of its expressions in the request. */
interface TriedMapping {
  readonly writesAs: Exclude<ClientKind, 'direct'>;
  readonly mapping: EventMapping;
  /** Set for mappings of webhooks; those of integrations compute the blueprint. */
  readonly blueprint: string | undefined;
  placeOf(path: MappingPath): MappingPath;
}

/**
 * Maps raw data and validates the result against the catalog without writing.
 * @throws AppError `invalid_request` if there is nothing to map, `not_found`, `missing_permissions`
 */
export async function testMapping(
  deps: IntegrationsDeps,
  actor: Actor,
  input: TestMappingBody,
): Promise<{ readonly results: MappingTest[] }> {
  const tried = toTriedMappings(input.mapping);
  const examples = (input.examples as readonly Example[] | undefined) ?? (await storedExamples(deps, actor, input));
  const context = mapWithin(shareTime(deps.clock.now(), togetherMs));
  const results: MappingTest[] = [];
  let left = checkedMax;
  for (const [example, raw] of examples.entries()) {
    for (const each of tried) {
      const result = await tryOn(deps, actor, { ...each, raw, example, checkedMax: left }, context);
      left = Math.max(0, left - result.entities.length);
      results.push(result);
    }
  }
  return { results };
}

function toTriedMappings(mapping: TestMappingBody['mapping']): readonly TriedMapping[] {
  if ('port' in mapping) {
    const resource = mapping as unknown as Parameters<typeof mappingsOfResource>[0];
    return mappingsOfResource(resource).map((each) => ({ ...each, writesAs: 'integration', blueprint: undefined }));
  }
  return [{ mapping, writesAs: 'webhook', blueprint: mapping.blueprint, placeOf: (path) => path }];
}

interface MappingQuestion extends TriedMapping {
  readonly raw: Example;
  readonly example: number;
  readonly checkedMax: number;
}

async function tryOn(
  deps: IntegrationsDeps,
  actor: Actor,
  { mapping, writesAs, blueprint, placeOf, raw, example, checkedMax }: MappingQuestion,
  context: MapContext,
): Promise<MappingTest> {
  const { items, issues, skipped, reason, isFiltered } = await mapEvent(mapping, raw, context);
  const named = items.map(({ item, body }) => ({ item, body: { ...(blueprint ? { blueprint } : {}), ...body } }));
  const writes = mappingOperation(mapping as Parameters<typeof mappingOperation>[0]).type === 'create';
  const checked = writes ? named.slice(0, checkedMax) : [];
  const { refused, warnings } = await evaluateVerdict(deps, { ...actor, writesAs }, checked);
  return {
    example,
    // every value was read from JSON or produced by jq
    entities: named.map(({ body }) => body) as unknown as MappingTest['entities'],
    skipped,
    ...(isFiltered ? { filtered: true } : {}),
    ...(reason === null ? {} : { reason }),
    ...(issues.length > 0
      ? { issues: issues.map(({ item, path, message }) => ({ item, path: `/${placeOf(path).join('/')}`, message })) }
      : {}),
    ...(refused.length > 0 ? { refused } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

interface Verdict {
  readonly refused: NonNullable<MappingTest['refused']>;
  readonly warnings: string[];
}

async function evaluateVerdict(deps: IntegrationsDeps, actor: Actor, items: readonly MappedItem[]): Promise<Verdict> {
  const refused: Verdict['refused'] = [];
  const warnings = new Set<string>();
  for (const blueprint of new Set(items.map(({ body }) => body['blueprint']))) {
    const bodies = items.flatMap(({ body: { blueprint: of, ...body } }) => (of === blueprint ? [body] : []));
    for (let from = 0; from < bodies.length && refused.length < refusedMax; from += chunkMax) {
      const verdict = await verdictOfChunk(deps, actor, blueprint, bodies.slice(from, from + chunkMax));
      refused.push(...verdict.refused);
      for (const warning of verdict.warnings) warnings.add(warning);
    }
  }
  return { refused: refused.slice(0, refusedMax), warnings: [...warnings].slice(0, refusedMax) };
}

async function verdictOfChunk(
  { catalog }: IntegrationsDeps,
  actor: Actor,
  blueprint: unknown,
  bodies: readonly Readonly<Record<string, unknown>>[],
): Promise<Verdict> {
  const nameOf = (index: number): string => {
    const { identifier } = bodies[index] as { identifier?: unknown };
    return typeof identifier === 'string' ? identifier : (JSON.stringify(identifier)?.slice(0, 200) ?? '');
  };
  try {
    if (typeof blueprint !== 'string') {
      throw invalidRequest(
        [{ path: '/blueprint', message: 'must come to the identifier of a blueprint' }],
        'The entity',
      );
    }
    const outcomes = await bulkUpsertEntities(catalog, actor, blueprint, bodies, rehearsal);
    return {
      refused: outcomes.flatMap((outcome, index) =>
        'error' in outcome ? [{ entity: nameOf(index), message: outcome.error.message }] : [],
      ),
      warnings: outcomes.flatMap((outcome) => ('error' in outcome ? [] : outcome.warnings)),
    };
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return { refused: bodies.map((_body, index) => ({ entity: nameOf(index), message: error.message })), warnings: [] };
  }
}

async function storedExamples(
  { database }: IntegrationsDeps,
  actor: Actor,
  { identifier, mapping }: TestMappingBody,
): Promise<readonly Example[]> {
  const kinds = identifier === undefined ? {} : await listKinds(database, actor, identifier);
  const kind = 'kind' in mapping ? mapping.kind : undefined;
  const found = kinds[typeof kind === 'string' ? kind : '']?.examples ?? [];
  if (found.length > 0) return found.map(({ data }) => data as Example);
  const message = 'are needed: the integration sent none for this kind';
  throw invalidRequest([{ path: '/examples', message }], 'The call');
}
