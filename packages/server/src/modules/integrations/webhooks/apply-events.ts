import {
  bulkUpsertEntities as bulkUpsertOperation,
  deleteEntity as deleteEntityOperation,
} from '@portolan/contract/entities';
import type { Operation } from '@portolan/contract/operation';
import { blueprintSearchQuery } from '@portolan/contract/search-query';
import type { MappingResult } from '@portolan/contract/webhooks';
import type { Actor } from '../../../platform/actor.ts';
import { AppError, invalidRequest } from '../../../platform/errors.ts';
import { toIssues } from '../../../platform/http/issues.ts';
import { requireScope } from '../../../platform/scopes.ts';
import type { UnitOfWork } from '../../../platform/unit-of-work.ts';
import { bulkUpsertEntities, type CatalogDeps, deleteEntities } from '../../entities/index.ts';
import { searchBlueprint } from '../../search/index.ts';
import { type MappedPart, type PlannedItem, type PlannedWrite, planWrites } from './plan-writes.ts';
import { mappingOperation } from './webhook.ts';

const flags = { upsert: true, merge: true, validation_only: false, create_missing_related_entities: true } as const;
const issuesKept = 20;

type ItemIssue = MappingResult['issues'][number];

interface Counts {
  created: number;
  updated: number;
  deleted: number;
  failed: number;
  skipped: number;
}

/** One mapping of one event; the actor is the webhook on behalf of one delivery. */
export interface EventPart extends MappedPart {
  readonly index: number;
  readonly actor: Actor;
}

interface AppliedPart extends EventPart {
  readonly counts: Counts;
  readonly issues: ItemIssue[];
  readonly warnings: Set<string>;
}

/**
 * Writes the mapped events of one webhook in their order, and returns a result per part. Idempotent: creating merges,
 * and deleting a missing entity is skipped.
 */
export async function applyEvents(catalog: CatalogDeps, parts: readonly EventPart[]): Promise<MappingResult[]> {
  const applied = parts.map((part): AppliedPart => {
    const counts = { created: 0, updated: 0, deleted: 0, failed: 0, skipped: part.mapped.skipped };
    const warnings = new Set<string>();
    return { ...part, counts, warnings, issues: part.mapped.issues.map(({ item, message }) => ({ item, message })) };
  });
  for (const write of planWrites(applied)) {
    if (write.type === 'create') await create(catalog, write);
    else await remove(catalog, write);
  }
  return applied.map(toResult);
}

function toResult(part: AppliedPart): MappingResult {
  const { index, mapping, counts, issues, warnings } = part;
  return {
    mapping: index,
    blueprint: mapping.blueprint,
    operation: mappingOperation(mapping).type,
    ...toVerdict(part),
    ...counts,
    issues: issues.slice(0, issuesKept),
    ...(warnings.size > 0 ? { warnings: [...warnings].slice(0, issuesKept) } : {}),
  };
}

function toVerdict({ mapped, counts }: AppliedPart): Pick<MappingResult, 'verdict' | 'reason'> {
  if (mapped.isFiltered) return { verdict: 'filtered', reason: mapped.reason };
  const done = counts.created + counts.updated + counts.deleted;
  const isWrong = mapped.isFailed || counts.failed > 0 || mapped.issues.length > 0;
  if (!isWrong) return { verdict: 'applied', reason: mapped.reason };
  const reason = mapped.reason ?? 'Some items were refused or mapped in part; "issues" says which and why';
  return { verdict: done > 0 ? 'partial' : 'failed', reason };
}

/** Retries a bulk write that was refused as a whole item by item, so that one event does not fail the others. */
async function create(catalog: CatalogDeps, write: PlannedWrite<AppliedPart>): Promise<void> {
  const [first, ...others] = write.items;
  if (!first) return;
  const bodies = write.items.map(({ item }) => item.body);
  const { actor } = first.part;
  const ofCauses = { ...catalog, unitOfWork: namingCauses(catalog.unitOfWork, write) };
  const outcomes = await within(actor, bulkUpsertOperation, () =>
    bulkUpsertEntities(ofCauses, actor, write.blueprint, bodies, flags),
  ).catch(toRefusal);
  if (outcomes instanceof AppError && others.length > 0) {
    for (const item of write.items) await create(catalog, { ...write, items: [item] });
    return;
  }
  for (const [at, item] of write.items.entries()) {
    const outcome = outcomes instanceof AppError ? { error: outcomes } : outcomes[at];
    if (!outcome || 'error' in outcome) await refuse(catalog, item, outcome?.error ?? unanswered(), 'CREATE');
    else {
      item.part.counts[outcome.isCreated ? 'created' : 'updated'] += 1;
      for (const warning of outcome.warnings) item.part.warnings.add(warning);
    }
  }
}

/** Enforces the scopes of the restricted token that the webhook was saved with. */
async function within<T>(actor: Actor, operation: Operation, write: () => Promise<T>): Promise<T> {
  requireScope(actor, operation);
  return write();
}

function unanswered(): AppError {
  return new AppError('internal_error', 'The write had no outcome');
}

/** Attributes each record of a write for several events to the delivery that wrote its entity, or related to it. */
function namingCauses(unitOfWork: UnitOfWork, { items }: PlannedWrite<AppliedPart>): UnitOfWork {
  const deliveries = new Set(items.map(({ part }) => part.actor.webhook?.deliveryId));
  if (deliveries.size < 2) return unitOfWork;
  const causes = new Map<unknown, string>();
  const blame = (name: unknown, { part }: PlannedItem<AppliedPart>): void => {
    const cause = part.actor.webhook?.deliveryId;
    if (typeof name === 'string' && cause !== undefined && !causes.has(name)) causes.set(name, cause);
  };
  for (const each of items) blame(each.item.body['identifier'], each);
  for (const each of items) {
    for (const target of Object.values(each.item.body['relations'] ?? {}).flat()) blame(target, each);
  }
  return (actor, body) =>
    unitOfWork(actor, (work) =>
      body({
        ...work,
        record: (entry) => {
          const cause = causes.get(entry.identifier);
          work.record(cause === undefined ? entry : { ...entry, context: { webhookEventId: cause, ...entry.context } });
        },
      }),
    );
}

async function remove(catalog: CatalogDeps, { blueprint, items }: PlannedWrite<AppliedPart>): Promise<void> {
  for (const each of items) {
    const { actor, counts, mapping } = each.part;
    const { deleteDependents } = mappingOperation(mapping);
    try {
      requireScope(actor, deleteEntityOperation);
      const identifiers = await resolveIdentifiers(catalog, actor, blueprint, each.item.body['identifier']);
      if (identifiers.length === 0) counts.skipped += 1;
      else
        counts.deleted += (await deleteEntities(catalog, actor, blueprint, identifiers, { deleteDependents })).length;
    } catch (error) {
      const refusal = toRefusal(error);
      if (isGone(refusal)) counts.skipped += 1;
      else await refuse(catalog, each, refusal, 'DELETE');
    }
  }
}

/** One identifier, or up to a hundred that a query finds. */
async function resolveIdentifiers(
  catalog: CatalogDeps,
  actor: Actor,
  blueprint: string,
  identifier: unknown,
): Promise<string[]> {
  if (typeof identifier === 'string') return [identifier];
  const query = blueprintSearchQuery.safeParse(identifier);
  if (!query.success) throw invalidRequest(toIssues(query.error, identifier), 'The query of "identifier"');
  const page = await searchBlueprint(catalog, actor, blueprint, { query: query.data, limit: 100 });
  return page.entities.map((entity) => entity.identifier);
}

/** True if the entity is already gone, which a deletion accepts; a missing blueprint stays an error. */
function isGone({ code, details }: AppError): boolean {
  const resource = (details as { resource?: unknown } | undefined)?.resource;
  return code === 'not_found' && resource !== 'Blueprint';
}

/** Reports refusals of the catalog; rethrows anything else, so that the job fails. */
function toRefusal(error: unknown): AppError {
  if (error instanceof AppError && error.status < 500) return error;
  throw error;
}

async function refuse(
  { recordFailures }: CatalogDeps,
  { part, item }: PlannedItem<AppliedPart>,
  error: AppError,
  action: 'CREATE' | 'DELETE',
): Promise<void> {
  const { identifier } = item.body;
  const entity = typeof identifier === 'string' ? identifier.slice(0, 1000) : undefined;
  const named = entity === undefined ? {} : { entity };
  part.counts.failed += 1;
  part.issues.push({ item: item.item, ...named, message: error.message.slice(0, 500) });
  const context = { blueprint: part.mapping.blueprint, ...named };
  await recordFailures(part.actor, [{ action, resourceType: 'entity', identifier: entity ?? '', context, error }]);
}
