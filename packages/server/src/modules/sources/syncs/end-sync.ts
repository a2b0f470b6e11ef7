import type { Actor } from '../../../platform/actor.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { lockSync, updateSync } from '../ingest/sync.store.ts';
import type { StoredSync } from '../ingest/sync.ts';
import { lockSource, updateSource } from '../sources/source.store.ts';
import type { StoredSource } from '../sources/source.ts';
import type { SourcesDeps } from '../sources.deps.ts';
import { sweep } from './remove-missing.ts';

/** Minutes after which a source that could not be read is tried again, if its schedule is slower. */
const retryMinutes = 15;

export interface SyncFailure {
  readonly problem: NonNullable<StoredSync['problem']>;
  /** Only its owner can mend it: the source waits for that. */
  readonly isPausing: boolean;
}

/**
 * Ends a sync. A whole one deletes what its source no longer brings, as far as that is allowed, and leaves the state for
 * the next one; one that failed deletes nothing.
 */
export async function endSync(
  deps: SourcesDeps,
  actor: Actor,
  source: StoredSource,
  { key }: Pick<StoredSync, 'key'>,
  failure?: SyncFailure,
): Promise<void> {
  const question = failure ? undefined : await sweep(deps, actor, source, key);
  await deps.unitOfWork(actor, async (work) => {
    const { tx, now } = work;
    const before = await lockSync(tx, actor.orgId, key);
    if (!before || before.endedAt) return;
    const status = !failure ? 'completed' : failure.isPausing ? 'failed' : 'incomplete';
    const problem = failure?.problem ?? null;
    const sync: StoredSync = { ...before, status, problem, note: null, endedAt: now, touchedAt: now };
    await updateSync(tx, actor.orgId, sync);
    if (sync.isPlan) return;
    recordEnd(work, source, sync);
    // an event says nothing of the rest
    if (sync.mode === 'event') return;
    const current = await lockSource(tx, actor.orgId, source.identifier);
    if (!current) return;
    await updateSource(tx, actor.orgId, {
      ...current,
      problem: failure?.isPausing ? failure.problem : (question ?? null),
      state: failure ? current.state : (sync.nextState ?? current.state),
      nextSyncAt: failure?.isPausing ? null : nextSync(current, now, failure !== undefined),
    });
  });
}

/** When a source is read the next time; null for one that waits for somebody. */
export function nextSync({ scheduleMinutes, isPaused }: StoredSource, now: Date, hasFailed: boolean): Date | null {
  if (isPaused || scheduleMinutes === null) return null;
  const minutes = hasFailed ? Math.min(scheduleMinutes, retryMinutes) : scheduleMinutes;
  return new Date(now.getTime() + minutes * 60_000);
}

function recordEnd(work: Work, { identifier }: StoredSource, { id, status, counts, problem }: StoredSync): void {
  const { created, changed, deleted } = counts;
  // one that changed nothing would only fill the log
  if (status === 'completed' && created + changed + deleted === 0) return;
  work.record({
    event: 'source.synced',
    action: 'OTHER',
    resourceType: 'source',
    identifier,
    context: { source: identifier, syncId: id },
    message: problem ? problem.message : `Read: ${created} created, ${changed} changed, ${deleted} deleted`,
    after: { status, counts },
  });
}
