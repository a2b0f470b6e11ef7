import type { Actor } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import { ingestChunk } from '../ingest/ingest-chunk.ts';
import type { RawItem } from '../ingest/ingest-item.ts';
import { findLedger, markUnread } from '../ingest/ledger.store.ts';
import type { StoredSync, SyncProblem } from '../ingest/sync.ts';
import { insertUnread } from '../ingest/waiting.store.ts';
import type { SourcePage } from '../source-type.ts';
import type { StoredSource } from '../sources/source.ts';
import type { SourcesDeps } from '../sources.deps.ts';
import { toRawItems } from './map-items.ts';
import { removeGone } from './remove-missing.ts';

const itemsPerChunk = 200;

/** Stores a page in chunks; its cursor goes with the last of them. Undefined if the sync was cancelled. */
export async function storePage(
  deps: SourcesDeps,
  actor: Actor,
  source: StoredSource,
  before: StoredSync,
  page: SourcePage,
): Promise<StoredSync | undefined> {
  const { orgId } = actor;
  let sync = before;
  // what is not counted in lines comes before the cursor is stored: a page that is read again says it again
  const { unread = [] } = page;
  const keys = { syncKey: sync.key, sourceKey: source.key };
  if (unread.length > 0) {
    await deps.unitOfWork(actor, ({ tx }) =>
      before.isPlan ? insertUnread(tx, orgId, keys, unread) : markUnread(tx, orgId, source.key, before.key, unread),
    );
  }
  const gone = page.gone?.map(({ key }) => key) ?? [];
  if (gone.length > 0) sync = await removeGone(deps, actor, source, sync, gone);
  const problems = (page.problems ?? []).map(toSyncProblem);
  const batches = inBatchesOf(page.items, itemsPerChunk);
  for (const [index, batch] of batches.entries()) {
    const isLast = index === batches.length - 1;
    const items = toRawItems(batch, source.mapping, { after: sync.lines, now: deps.clock.now() });
    await readNew(deps, orgId, source.key, items);
    const leave = await deps.takePlace(orgId);
    try {
      const stored = await ingestChunk(deps, actor, sync.key, {
        after: sync.lines,
        lines: sync.lines + items.length,
        items,
        problems: isLast ? problems : [],
        counts: { read: items.length, ...(isLast ? { requests: page.requests } : {}) },
        ...(isLast ? { progress: { cursor: page.next, isWhole: page.next === null, note: page.note ?? null } } : {}),
      });
      sync = stored.sync;
    } catch (error) {
      if (error instanceof AppError && error.code === 'import_ended') return undefined;
      throw error;
    } finally {
      leave();
    }
  }
  return sync;
}

/** Maps items that the source did not bring before, so that no transaction waits for that. */
async function readNew(
  { database }: SourcesDeps,
  orgId: string,
  sourceKey: number,
  items: readonly RawItem[],
): Promise<void> {
  const rows = await findLedger(
    database,
    orgId,
    sourceKey,
    items.map(({ key }) => key),
  );
  const known = new Set(rows.map(({ itemKey }) => itemKey));
  for (const item of items) if (!known.has(item.key)) await item.read();
}

/** At least one batch, so that an empty page is stored too. */
function inBatchesOf<Value>(values: readonly Value[], size: number): readonly (readonly Value[])[] {
  const batches: (readonly Value[])[] = [];
  for (let from = 0; from === 0 || from < values.length; from += size) batches.push(values.slice(from, from + size));
  return batches;
}

function toSyncProblem({ item, ...problem }: NonNullable<SourcePage['problems']>[number]): SyncProblem {
  return { ...problem, ...(item === null ? {} : { itemKey: item }) };
}
