import type { Actor } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { findOpenSync, findSync, insertSync, lockSync, updateSync } from '../ingest/sync.store.ts';
import { noCounts, type StoredSync } from '../ingest/sync.ts';
import { getStoredSource, sourceMissing } from '../sources/read-sources.ts';
import { lockSource, updateSource } from '../sources/source.store.ts';
import type { StoredSource } from '../sources/source.ts';
import { assertMayWriteSource } from '../sources/source-rights.ts';
import { typeNamed } from '../sources/write-source.ts';
import type { SourcesDeps } from '../sources.deps.ts';
import { nextSync } from './end-sync.ts';
import type { SyncJob } from './run-sync.ts';

export interface StartDeps extends SourcesDeps {
  readonly sync: SyncJob;
}

/** Begins a sync by hand. @throws AppError `not_found`, `missing_permissions`, `sync_in_progress` */
export function startSync(
  deps: StartDeps,
  actor: Actor,
  identifier: string,
  mode: 'full' | 'changes' | 'plan',
): Promise<StoredSync> {
  return deps.unitOfWork(actor, async (work) => {
    const source = await lockSource(work.tx, actor.orgId, identifier);
    if (!source) throw sourceMissing(identifier);
    assertMayWriteSource(actor, source);
    if (source.type === 'file') {
      throw new AppError('not_found', 'A file has nothing to read; upload it again');
    }
    const open = await findOpenSync(work.tx, actor.orgId, source.key);
    if (open) {
      const message = `The source "${identifier}" is being read by "${open.id}"; wait until it has ended, or cancel it`;
      throw new AppError('sync_in_progress', message, { details: { sync: open.id } });
    }
    return beginSync(deps, work, source, { mode: mode === 'plan' ? 'full' : mode, isPlan: mode === 'plan' });
  });
}

/** Begins a sync of a locked source that has none open. */
export async function beginSync(
  { sync: job, types }: Pick<StartDeps, 'sync' | 'types'>,
  work: Work,
  source: StoredSource,
  { mode, isPlan }: { readonly mode: 'full' | 'changes'; readonly isPlan: boolean },
): Promise<StoredSync> {
  const sync = await insertSync(work.tx, work.actor.orgId, {
    id: newId('sync_'),
    sourceKey: source.key,
    mode,
    isPlan,
    status: 'waiting',
    options: {
      mode: 'merge',
      missingTargets: typeNamed({ types }, source.type).missingTargets ?? 'refuse',
      onError: 'continue',
    },
    counts: noCounts,
    startedAt: work.now,
    createdBy: work.actor.id,
  });
  await work.enqueue(job, { sourceKey: source.key, syncKey: sync.key });
  return sync;
}

/** Ends an open sync after the page that it reads. @throws AppError `not_found`, `missing_permissions` */
export async function cancelSync(deps: SourcesDeps, actor: Actor, identifier: string, id: string): Promise<StoredSync> {
  const source = await getStoredSource(deps.database, actor, identifier);
  assertMayWriteSource(actor, source);
  return deps.unitOfWork(actor, async ({ tx, now }) => {
    const found = await findSync(tx, actor.orgId, id);
    const sync = found?.sourceKey === source.key ? await lockSync(tx, actor.orgId, found.key) : undefined;
    if (!sync) throw syncMissing(id);
    if (sync.endedAt) return sync;
    const cancelled: StoredSync = { ...sync, status: 'cancelled', note: null, endedAt: now, touchedAt: now };
    await updateSync(tx, actor.orgId, cancelled);
    const current = await lockSource(tx, actor.orgId, identifier);
    // its schedule waits for the end of what it began
    if (current && current.nextSyncAt === null && current.problem === null && !sync.isPlan) {
      await updateSource(tx, actor.orgId, { ...current, nextSyncAt: nextSync(current, now, false) });
    }
    return cancelled;
  });
}

export function syncMissing(id: string): AppError {
  return new AppError('not_found', `The sync "${id.slice(0, 200)}" was not found`, {
    details: { resource: 'Sync', byField: 'id', withValue: id.slice(0, 200) },
  });
}
