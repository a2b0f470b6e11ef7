import type { Actor } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import { listUnseen } from '../ingest/ledger.store.ts';
import { findOpenSync, insertSync, listSyncRows, lockSync, updateSync } from '../ingest/sync.store.ts';
import { noCounts, type StoredSync } from '../ingest/sync.ts';
import { getStoredSource, sourceMissing } from '../sources/read-sources.ts';
import { readableRows } from '../sources/readable-rows.ts';
import { lockSource, updateSource } from '../sources/source.store.ts';
import { assertMayWriteSource } from '../sources/source-rights.ts';
import type { SourcesDeps } from '../sources.deps.ts';
import { removeAll } from './remove-missing.ts';

const shownMax = 1_000;
const allMax = 1_000_000;

/** What a source brought before and not in its last whole sync. @throws AppError `not_found`, `missing_permissions` */
export async function listMissing(deps: SourcesDeps, actor: Actor, identifier: string) {
  const source = await getStoredSource(deps.database, actor, identifier);
  const missing = await findMissing(deps, actor.orgId, source.key);
  const shown = await readableRows(deps, actor, missing.slice(0, shownMax));
  return {
    total: missing.length,
    missing: shown.map(({ itemKey, blueprint, identifier: name, goneSince, isOurs, isShared }) => ({
      item: itemKey,
      blueprint,
      identifier: name,
      goneSince: goneSince?.toISOString() ?? null,
      deletes: isOurs && !isShared,
    })),
  };
}

async function findMissing({ database }: SourcesDeps, orgId: string, sourceKey: number) {
  const syncs = await listSyncRows(database, orgId, { sourceKey, limit: 50 });
  const whole = syncs.find(({ isWhole, isPlan, mode }) => isWhole && !isPlan && (mode === 'full' || mode === 'import'));
  return whole ? listUnseen(database, orgId, sourceKey, whole.key, undefined, allMax) : [];
}

/**
 * Deletes what is missing, as far as it is this source's alone, or lets it go and keeps it. Runs with the rights of who
 * decides.
 * @throws AppError `stale_version` if there are others than those that were decided on
 */
export async function decideMissing(
  deps: SourcesDeps,
  actor: Actor,
  identifier: string,
  { decision, total }: { readonly decision: 'delete' | 'keep'; readonly total: number },
): Promise<{ readonly deleted: number; readonly left: number }> {
  const source = await getStoredSource(deps.database, actor, identifier);
  assertMayWriteSource(actor, source);
  const missing = await findMissing(deps, actor.orgId, source.key);
  if (missing.length !== total) {
    const message = `${missing.length} entities are missing by now, and not ${total}; look at the list again`;
    throw new AppError('stale_version', message);
  }
  const sync = await begin(deps, actor, identifier);
  const due = decision === 'delete' ? missing.filter(({ isOurs, isShared }) => isOurs && !isShared) : [];
  const after = await removeAll(
    deps,
    actor,
    source,
    sync,
    due,
    missing.filter((each) => !due.includes(each)),
  );
  await deps.unitOfWork(actor, async (work) => {
    const { tx, now } = work;
    const current = await lockSource(tx, actor.orgId, identifier);
    const ended = await lockSync(tx, actor.orgId, sync.key);
    if (ended) await updateSync(tx, actor.orgId, { ...ended, status: 'completed', endedAt: now, touchedAt: now });
    if (current?.problem?.code === 'deletion_needs_confirmation') {
      await updateSource(tx, actor.orgId, { ...current, problem: null });
    }
    work.record({
      event: 'source.missing-decided',
      action: 'OTHER',
      resourceType: 'source',
      identifier,
      context: { source: identifier, syncId: sync.id },
      message: decision === 'delete' ? `${after.counts.deleted} entities were deleted` : 'What is missing is kept',
      after: { decision, total },
    });
  });
  return { deleted: after.counts.deleted, left: total - after.counts.deleted };
}

/** The deletion is a pass of its own, so that nothing else reads the source meanwhile. */
function begin({ unitOfWork }: SourcesDeps, actor: Actor, identifier: string): Promise<StoredSync> {
  return unitOfWork(actor, async ({ tx, now }) => {
    const source = await lockSource(tx, actor.orgId, identifier);
    if (!source) throw sourceMissing(identifier);
    const open = await findOpenSync(tx, actor.orgId, source.key);
    if (open) {
      const message = `The source "${identifier}" is being read by "${open.id}"; decide when that has ended`;
      throw new AppError('sync_in_progress', message, { details: { sync: open.id } });
    }
    return insertSync(tx, actor.orgId, {
      id: newId('sync_'),
      sourceKey: source.key,
      mode: 'event',
      isPlan: false,
      status: 'running',
      options: { mode: 'merge', missingTargets: 'refuse', onError: 'continue' },
      counts: noCounts,
      startedAt: now,
      createdBy: actor.id,
    });
  });
}
