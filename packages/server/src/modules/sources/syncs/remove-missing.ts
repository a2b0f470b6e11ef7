import type { Actor } from '../../../platform/actor.ts';
import { groupBy } from '../../../platform/collections.ts';
import { AppError } from '../../../platform/errors.ts';
import { deleteEntitiesWithin } from '../../entities/index.ts';
import { holdParts } from '../ingest/hold-parts.ts';
import { namingSync, openSync } from '../ingest/ingest-chunk.ts';
import { countLedger, countUnseen, deleteLedger, findParts, listUnseen, markGone } from '../ingest/ledger.store.ts';
import { findSyncByKey, insertProblems, updateSync } from '../ingest/sync.store.ts';
import { addCounts, type Counts, type StoredSync } from '../ingest/sync.ts';
import { insertChanges } from '../ingest/waiting.store.ts';
import type { StoredSource } from '../sources/source.ts';
import { typeNamed } from '../sources/write-source.ts';
import type { SourcesDeps } from '../sources.deps.ts';

const batchSize = 200;
/** More than this, or a larger share of what the source brings, is asked about first. */
const unaskedMax = 50;
const unaskedShare = 0.2;
const dayMs = 24 * 60 * 60_000;

/** A part of the ledger whose item is gone. */
type Missing = Awaited<ReturnType<typeof listUnseen>>[number];

/**
 * After everything was read: what the source no longer brings is deleted, marked, or kept, as its owner chose. Returns
 * the question for the owner where that would be too much; nothing is deleted then.
 */
export async function sweep(
  deps: SourcesDeps,
  actor: Actor,
  source: StoredSource,
  syncKey: number,
): Promise<StoredSource['problem'] | undefined> {
  const { database } = deps;
  const { orgId } = actor;
  const sync = await findSyncByKey(database, orgId, syncKey);
  if (!sync?.isWhole || sync.mode !== 'full' || source.deletion === 'keep') return undefined;
  const missing = sync.isPlan
    ? await listUnplanned(deps, orgId, source.key, syncKey)
    : await listAllUnseen(deps, orgId, source.key, syncKey);
  if (missing.length === 0) return undefined;
  const graceMs = typeNamed(deps, source.type).graceDays * dayMs;
  const now = deps.clock.now();
  const isDue = ({ goneSince, isOurs, isShared }: Missing): boolean =>
    isOurs && !isShared && (graceMs === 0 || (goneSince !== null && now.getTime() - goneSince.getTime() >= graceMs));
  const marks = source.deletion === 'mark';
  const due = marks ? [] : missing.filter(isDue);
  if (sync.isPlan) {
    await planRemovals(deps, actor, sync, missing, due);
    return undefined;
  }
  const whole = await countLedger(database, orgId, source.key);
  if (due.length > unaskedMax || due.length > unaskedShare * whole) return question(due.length, whole);
  const waits = new Set(missing.filter((each) => !isDue(each) && (marks || (each.isOurs && !each.isShared))));
  await removeAll(
    deps,
    actor,
    source,
    sync,
    due,
    missing.filter((each) => !due.includes(each) && !waits.has(each)),
  );
  await markAll(deps, actor, source, sync, [...waits]);
  return undefined;
}

function question(count: number, whole: number): NonNullable<StoredSource['problem']> {
  return {
    code: 'deletion_needs_confirmation',
    message: `${count} of ${whole} entities are no longer there. That is more than is deleted without asking, so all of them stay`,
    fix: 'Look at the list, and delete them or keep them',
  };
}

/** Entities of items that the host says are gone, at once: evidence needs no waiting. */
export async function removeGone(
  deps: SourcesDeps,
  actor: Actor,
  source: StoredSource,
  sync: StoredSync,
  itemKeys: readonly string[],
): Promise<StoredSync> {
  const parts = await findParts(deps.database, actor.orgId, source.key, itemKeys);
  const due = parts.filter(({ isOurs, isShared }) => isOurs && !isShared);
  if (sync.isPlan) {
    await planRemovals(deps, actor, sync, parts, due);
    return sync;
  }
  if (source.deletion !== 'delete') return markAll(deps, actor, source, sync, parts);
  return removeAll(
    deps,
    actor,
    source,
    sync,
    due,
    parts.filter((each) => !due.includes(each)),
  );
}

/** Deletes what is due and lets go of the rest. */
export async function removeAll(
  deps: SourcesDeps,
  actor: Actor,
  source: Pick<StoredSource, 'key'>,
  before: StoredSync,
  due: readonly Missing[],
  released: readonly Missing[],
): Promise<StoredSync> {
  let sync = before;
  for (let from = 0; from < due.length; from += batchSize) {
    sync = await removeBatch(deps, actor, source.key, sync, due.slice(from, from + batchSize));
  }
  if (released.length === 0) return sync;
  return change(deps, actor, sync, { released: released.length }, async (tx) => {
    await deleteLedger(tx, actor.orgId, source.key, released);
  });
}

/** What cannot be deleted as a whole is tried in halves; a single one that others need is let go, with the reason. */
async function removeBatch(
  deps: SourcesDeps,
  actor: Actor,
  sourceKey: number,
  sync: StoredSync,
  batch: readonly Missing[],
): Promise<StoredSync> {
  try {
    return await deps.unitOfWork(actor, async (opened) => {
      const before = await openSync(opened, sync.key);
      const work = namingSync(opened, before);
      await holdParts(work, sourceKey, batch);
      for (const [blueprint, group] of groupBy(batch, (each) => each.blueprint)) {
        const names = group.map(({ identifier }) => identifier);
        await deleteEntitiesWithin(work, blueprint, names, { deleteDependents: false });
      }
      await deleteLedger(work.tx, actor.orgId, sourceKey, batch);
      const after = { ...before, counts: addCounts(before.counts, { deleted: batch.length }), touchedAt: work.now };
      await updateSync(work.tx, actor.orgId, after);
      return after;
    });
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    const [first] = batch;
    if (batch.length > 1) {
      const middle = Math.ceil(batch.length / 2);
      const half = await removeBatch(deps, actor, sourceKey, sync, batch.slice(0, middle));
      return removeBatch(deps, actor, sourceKey, half, batch.slice(middle));
    }
    if (!first) return sync;
    return change(deps, actor, sync, { released: 1, problems: 1 }, async (tx) => {
      await deleteLedger(tx, actor.orgId, sourceKey, batch);
      const { itemKey, blueprint, identifier } = first;
      const message = `is no longer there, and stays: ${error.message}`;
      const problem = { severity: 'warning', code: error.code, message, itemKey, blueprint, identifier } as const;
      await insertProblems(tx, actor.orgId, sync.key, [problem]);
    });
  }
}

function markAll(
  deps: SourcesDeps,
  actor: Actor,
  source: Pick<StoredSource, 'key'>,
  sync: StoredSync,
  parts: readonly Missing[],
): Promise<StoredSync> {
  if (parts.length === 0) return Promise.resolve(sync);
  return change(deps, actor, sync, { marked: parts.length }, (tx) =>
    markGone(tx, actor.orgId, source.key, parts, deps.clock.now()),
  );
}

async function planRemovals(
  deps: SourcesDeps,
  actor: Actor,
  sync: StoredSync,
  missing: readonly Missing[],
  due: readonly Missing[],
): Promise<void> {
  const gone = new Set(due);
  const counts = { deleted: due.length, marked: missing.length - due.length };
  await change(deps, actor, sync, counts, (tx) =>
    insertChanges(
      tx,
      actor.orgId,
      sync.key,
      missing.map((each) => ({
        itemKey: each.itemKey,
        blueprint: each.blueprint,
        identifier: each.identifier,
        change: gone.has(each) ? ('deleted' as const) : ('marked' as const),
        before: null,
        after: null,
      })),
    ),
  );
}

function change(
  { unitOfWork }: SourcesDeps,
  actor: Actor,
  { key }: Pick<StoredSync, 'key'>,
  counts: Partial<Counts>,
  write: (tx: Parameters<typeof updateSync>[0]) => Promise<void>,
): Promise<StoredSync> {
  return unitOfWork(actor, async (work) => {
    const before = await openSync(work, key);
    await write(work.tx);
    const after = { ...before, counts: addCounts(before.counts, counts), touchedAt: work.now };
    await updateSync(work.tx, actor.orgId, after);
    return after;
  });
}

async function listAllUnseen({ database }: SourcesDeps, orgId: string, sourceKey: number, syncKey: number) {
  const all: Missing[] = [];
  if ((await countUnseen(database, orgId, sourceKey, syncKey)) === 0) return all;
  for (let page: Missing[] | undefined; page === undefined || page.length === 1_000; all.push(...page)) {
    page = await listUnseen(database, orgId, sourceKey, syncKey, all.at(-1), 1_000);
  }
  return all;
}

/** The parts whose items a plan did not meet. */
async function listUnplanned({ database }: SourcesDeps, orgId: string, sourceKey: number, syncKey: number) {
  return findParts(database, orgId, sourceKey, undefined, syncKey);
}
