import { groupBy } from '../../../platform/collections.ts';
import type { AppError } from '../../../platform/errors.ts';
import { notFound } from '../../../platform/errors.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { blueprintRelations, holdBlueprint, type StoredBlueprint } from '../../blueprints/index.ts';
import {
  type EntityRow,
  type IngestOutcome,
  ingestEntities,
  type StoredEntity,
  TargetsMissing,
} from '../../entities/index.ts';
import type { IngestDeps } from './ingest.deps.ts';
import type { PendingPart } from './ingest-item.ts';
import type { LedgerEntry } from './ledger.store.ts';
import { type Counts, ingestOptions, type StoredSync, type SyncProblem } from './sync.ts';
import { type AwaitedTarget, findPlanned, type PlannedChangeRow } from './waiting.store.ts';

/** A part that was refused only because targets are not there yet. */
export interface WaitingPart {
  readonly part: PendingPart;
  readonly targets: readonly AwaitedTarget[];
  readonly error: AppError;
}

export interface WrittenParts {
  readonly counts: Pick<Counts, 'created' | 'changed' | 'unchanged' | 'refused'>;
  readonly problems: readonly SyncProblem[];
  readonly waiting: readonly WaitingPart[];
  readonly entries: readonly LedgerEntry[];
  /** Of a plan. */
  readonly changes: readonly PlannedChangeRow[];
}

export interface WriteOptions {
  /** For a plan. */
  readonly isPlanned?: ((target: AwaitedTarget) => boolean) | undefined;
  /** The parts waited: what this sync created without some relations is not counted a second time. */
  readonly isSettling?: boolean;
}

type Held = ReadonlyMap<string, StoredBlueprint>;

/** Holds blueprints as they are until the transaction ends; those that are not there are missing. */
export async function holdBlueprints(
  { tx, actor }: Work,
  names: Iterable<string>,
): Promise<Map<string, StoredBlueprint>> {
  const held = new Map<string, StoredBlueprint>();
  for (const name of [...new Set(names)].sort()) {
    const blueprint = await holdBlueprint(tx, actor.orgId, name);
    if (blueprint) held.set(name, blueprint);
  }
  return held;
}

/**
 * Writes parts, or for a plan finds out what would be written, blueprint by blueprint with targets before what points at
 * them. Parts stand for themselves. Nothing of the sync itself is stored.
 */
export async function writeParts(
  deps: IngestDeps,
  work: Work,
  sync: StoredSync,
  held: Held,
  parts: readonly PendingPart[],
  { isPlanned, isSettling = false }: WriteOptions = {},
): Promise<WrittenParts> {
  const counts = { created: 0, changed: 0, unchanged: 0, refused: 0 };
  const problems: SyncProblem[] = [];
  const waiting: WaitingPart[] = [];
  const entries: LedgerEntry[] = [];
  const changes: PlannedChangeRow[] = [];
  for (const batch of inOrder(parts, held)) {
    const name = batch[0]?.blueprint ?? '';
    const blueprint = held.get(name);
    const outcomes = blueprint
      ? await ingest(deps, work, sync, blueprint, batch, isPlanned)
      : batch.map((): IngestOutcome => ({ error: notFound('Blueprint', name) }));
    for (const [at, part] of batch.entries()) {
      const outcome = outcomes[at] as IngestOutcome;
      if ('error' in outcome) {
        const { error } = outcome;
        if (error instanceof TargetsMissing) waiting.push({ part, targets: error.targets, error });
        else {
          counts.refused += 1;
          problems.push(...toProblems(part, error));
        }
        continue;
      }
      if (!isSettling || !isCompleted(outcome, sync)) counts[outcome.change] += 1;
      if (sync.isPlan) changes.push(toChange(part, outcome));
      else if (sync.sourceKey !== null) entries.push(toEntry(part, outcome));
    }
  }
  return { counts, problems, waiting, entries, changes };
}

/** In a plan, what waits is tried again with those targets that the plan creates. */
async function ingest(
  { catalog }: IngestDeps,
  work: Work,
  sync: StoredSync,
  blueprint: StoredBlueprint,
  batch: readonly PendingPart[],
  isAssumed: (target: AwaitedTarget) => boolean = () => false,
): Promise<IngestOutcome[]> {
  const options = ingestOptions(sync.options);
  const write = (chosen: readonly PendingPart[], isPlanned?: (name: string, identifier: string) => boolean) =>
    ingestEntities(
      catalog,
      work,
      blueprint,
      chosen.map(({ body }) => body),
      { ...options, isPlanned },
    );
  if (!sync.isPlan) return write(batch);
  const outcomes = await write(batch, (name, identifier) => isAssumed({ blueprint: name, identifier }));
  const awaited = outcomes.flatMap((outcome) =>
    'error' in outcome && outcome.error instanceof TargetsMissing ? outcome.error.targets : [],
  );
  const planned = new Set((await findPlanned(work.tx, work.actor.orgId, sync.key, awaited)).map(entityName));
  if (planned.size === 0) return outcomes;
  const again = [...outcomes.keys()].filter((at) => {
    const outcome = outcomes[at] as IngestOutcome;
    return 'error' in outcome && outcome.error instanceof TargetsMissing;
  });
  const isPlanned = (name: string, identifier: string) =>
    planned.has(entityName({ blueprint: name, identifier })) || isAssumed({ blueprint: name, identifier });
  const retried = await write(
    again.map((at) => batch[at] as PendingPart),
    isPlanned,
  );
  for (const [index, at] of again.entries()) outcomes[at] = retried[index] as IngestOutcome;
  return outcomes;
}

export function entityName({ blueprint, identifier }: AwaitedTarget): string {
  return `${blueprint}\u0000${identifier}`;
}

/**
 * Batches of one blueprint each, without an identifier twice. A blueprint comes after those that it points at; two that
 * point at each other keep the order of their parts.
 */
function inOrder(parts: readonly PendingPart[], held: Held): PendingPart[][] {
  const byBlueprint = groupBy(parts, ({ blueprint }) => blueprint);
  const names: string[] = [];
  const visited = new Set<string>();
  const visit = (name: string): void => {
    if (visited.has(name)) return;
    visited.add(name);
    const blueprint = held.get(name);
    for (const { target } of Object.values(blueprint ? blueprintRelations(blueprint) : {})) {
      if (byBlueprint.has(target)) visit(target);
    }
    names.push(name);
  };
  for (const name of byBlueprint.keys()) visit(name);
  return names.flatMap((name) => withoutDoubles(byBlueprint.get(name) ?? []));
}

/** Begins another batch where an identifier comes again, so that each write sees those before it. */
function withoutDoubles(parts: readonly PendingPart[]): PendingPart[][] {
  const batches: PendingPart[][] = [];
  let names = new Set<string>();
  for (const part of parts) {
    const { identifier } = part.body;
    if (batches.length === 0 || names.has(identifier)) {
      batches.push([]);
      names = new Set();
    }
    names.add(identifier);
    batches.at(-1)?.push(part);
  }
  return batches;
}

/** One problem for each issue of a refusal. */
export function toProblems(
  part: Pick<PendingPart, 'line' | 'itemKey' | 'blueprint' | 'body'>,
  error: AppError,
): SyncProblem[] {
  const { line, itemKey, blueprint, body } = part;
  const common = {
    severity: 'error',
    code: error.code,
    line,
    itemKey,
    blueprint,
    identifier: body.identifier,
  } as const;
  if (!Array.isArray(error.details) || error.details.length === 0) return [{ ...common, message: error.message }];
  const [first] = error.details;
  const others = error.details.length - 1;
  const more = others > 0 ? `, and ${others} more` : '';
  const place = first?.path ? { path: first.path } : undefined;
  return [{ ...common, message: `${first?.path ?? ''} ${first?.message ?? error.message}${more}`.trim(), place }];
}

type Ingested = Exclude<IngestOutcome, { readonly error: AppError }>;

/** Whether the write only added what was left out when the entity was created, by this sync. */
function isCompleted({ change, before }: Ingested, { startedAt }: StoredSync): boolean {
  return change !== 'created' && before?.version === 1 && before.createdAt >= startedAt;
}

function toEntry({ itemKey, position, hash }: PendingPart, { change, before, entity }: Ingested): LedgerEntry {
  return {
    itemKey,
    position,
    entityKey: entity?.key ?? null,
    blueprintKey: entity?.blueprintKey ?? null,
    hash,
    version: entity?.version ?? null,
    change,
    replaced: change === 'changed' && before ? written(before) : null,
  };
}

function toChange(
  { line, itemKey, blueprint, body }: PendingPart,
  { change, before, after }: Ingested,
): PlannedChangeRow {
  return {
    line,
    itemKey,
    blueprint,
    identifier: body.identifier,
    change,
    before: change === 'changed' && before ? written(before) : null,
    after: change === 'unchanged' ? null : written(after),
  };
}

/** What somebody wrote of an entity; `ownTeamRefs` are references. */
function written({ title, icon, properties, relations, ownTeamRefs }: EntityRow | StoredEntity) {
  return { title, icon, properties, relations, ownTeamRefs };
}
