import { blueprintSearchQuery, type MappingResult, type WebhookMapping } from '@portolan/contract';
import type { Actor } from '../../../platform/actor.ts';
import { AppError, invalidRequest } from '../../../platform/errors.ts';
import { issuesOf } from '../../../platform/http/issues.ts';
import { bulkUpsertEntities, type CatalogDeps, deleteEntities, searchBlueprint } from '../../catalog/index.ts';
import { type ItemIssue, type MapClock, type Mapped, type MappedItem, mapEvent } from './map-event.ts';
import type { WebhookEvent } from './read-event.ts';
import { operationOf } from './webhook.ts';

const flags = { upsert: true, merge: true, validation_only: false, create_missing_related_entities: true } as const;
/** What one request may hold, and one transaction. */
const chunkMax = 20;
const issuesKept = 20;

interface Counts {
  created: number;
  updated: number;
  deleted: number;
  failed: number;
  skipped: number;
}

/** Writes what one mapping makes of an event. Doing it twice comes to the same: creating merges, deleting what is gone is nothing. */
export async function applyMapping(
  catalog: CatalogDeps,
  actor: Actor,
  index: number,
  mapping: WebhookMapping,
  event: WebhookEvent,
  clock: MapClock,
): Promise<MappingResult> {
  const mapped = await mapEvent(mapping, event, clock);
  const counts: Counts = { created: 0, updated: 0, deleted: 0, failed: 0, skipped: mapped.skipped };
  const issues: ItemIssue[] = [...mapped.issues];
  const { type } = operationOf(mapping);
  if (type === 'create') await create(catalog, actor, mapping, mapped.items, counts, issues);
  else await remove(catalog, actor, mapping, mapped.items, counts, issues);
  return {
    mapping: index,
    blueprint: mapping.blueprint,
    operation: type,
    ...verdictOf(mapped, counts),
    ...counts,
    issues: issues.slice(0, issuesKept),
  };
}

function verdictOf(mapped: Mapped, counts: Counts): Pick<MappingResult, 'verdict' | 'reason'> {
  if (mapped.isFiltered) return { verdict: 'filtered', reason: mapped.reason };
  const done = counts.created + counts.updated + counts.deleted;
  const isWrong = mapped.isFailed || counts.failed > 0 || mapped.issues.length > 0;
  if (!isWrong) return { verdict: 'applied', reason: mapped.reason };
  const reason = mapped.reason ?? 'Some items were refused or mapped in part; "issues" says which and why';
  return { verdict: done > 0 ? 'partial' : 'failed', reason };
}

async function create(
  catalog: CatalogDeps,
  actor: Actor,
  { blueprint }: WebhookMapping,
  items: readonly MappedItem[],
  counts: Counts,
  issues: ItemIssue[],
): Promise<void> {
  for (const chunk of chunksOf(items)) {
    const bodies = chunk.map(({ body }) => body);
    const outcomes = await bulkUpsertEntities(catalog, actor, blueprint, bodies, flags).catch(refusalOf);
    if (outcomes instanceof AppError) {
      counts.failed += chunk.length;
      await note(
        catalog,
        actor,
        blueprint,
        chunk.map((item) => ({ item, error: outcomes })),
        'CREATE',
        issues,
      );
      continue;
    }
    const refused = outcomes.flatMap((outcome, at) => {
      if ('error' in outcome) return [{ item: chunk[at] as MappedItem, error: outcome.error }];
      counts[outcome.isCreated ? 'created' : 'updated'] += 1;
      return [];
    });
    counts.failed += refused.length;
    await note(catalog, actor, blueprint, refused, 'CREATE', issues);
  }
}

/** Of items with one identifier the last would speak for all, so they are written one after another. */
function chunksOf(items: readonly MappedItem[]): MappedItem[][] {
  const chunks: MappedItem[][] = [];
  let chunk: MappedItem[] = [];
  let names = new Set<unknown>();
  for (const item of items) {
    const { identifier } = item.body;
    if (chunk.length >= chunkMax || names.has(identifier) || typeof identifier !== 'string') {
      if (chunk.length > 0) chunks.push(chunk);
      chunk = [];
      names = new Set();
    }
    chunk.push(item);
    names.add(identifier);
    if (typeof identifier !== 'string') {
      chunks.push(chunk);
      chunk = [];
    }
  }
  return chunk.length > 0 ? [...chunks, chunk] : chunks;
}

async function remove(
  catalog: CatalogDeps,
  actor: Actor,
  mapping: WebhookMapping,
  items: readonly MappedItem[],
  counts: Counts,
  issues: ItemIssue[],
): Promise<void> {
  const { deleteDependents } = operationOf(mapping);
  for (const item of items) {
    try {
      const identifiers = await identifiersOf(catalog, actor, mapping.blueprint, item.body['identifier']);
      if (identifiers.length === 0) counts.skipped += 1;
      else
        counts.deleted += (
          await deleteEntities(catalog, actor, mapping.blueprint, identifiers, { deleteDependents })
        ).length;
    } catch (error) {
      const refusal = refusalOf(error);
      if (isGone(refusal)) counts.skipped += 1;
      else {
        counts.failed += 1;
        await note(catalog, actor, mapping.blueprint, [{ item, error: refusal }], 'DELETE', issues);
      }
    }
  }
}

/** One by name, or those that a query describes: up to a hundred. */
async function identifiersOf(
  catalog: CatalogDeps,
  actor: Actor,
  blueprint: string,
  identifier: unknown,
): Promise<string[]> {
  if (typeof identifier === 'string') return [identifier];
  const query = blueprintSearchQuery.safeParse(identifier);
  if (!query.success) throw invalidRequest(issuesOf(query.error), 'The query of "identifier"');
  const page = await searchBlueprint(catalog, actor, blueprint, { query: query.data, limit: 100 });
  return page.entities.map((entity) => entity.identifier);
}

/** What was to be deleted and is not there is as it should be; a missing blueprint is a mistake. */
function isGone({ code, details }: AppError): boolean {
  const resource = (details as { resource?: unknown } | undefined)?.resource;
  return code === 'not_found' && resource !== 'Blueprint';
}

/** What the catalog refused is told; anything else is not ours to tell. */
function refusalOf(error: unknown): AppError {
  if (error instanceof AppError && error.status < 500) return error;
  throw error;
}

async function note(
  { recordFailures }: CatalogDeps,
  actor: Actor,
  blueprint: string,
  refused: readonly { readonly item: MappedItem; readonly error: AppError }[],
  action: 'CREATE' | 'DELETE',
  issues: ItemIssue[],
): Promise<void> {
  const named = refused.map(({ item, error }) => {
    const { identifier } = item.body;
    const entity = typeof identifier === 'string' ? identifier.slice(0, 1000) : undefined;
    issues.push({ item: item.item, ...(entity === undefined ? {} : { entity }), message: error.message.slice(0, 500) });
    const context = { blueprint, ...(entity === undefined ? {} : { entity }) };
    return { action, resourceType: 'entity', identifier: entity ?? '', context, error };
  });
  await recordFailures(actor, named);
}
