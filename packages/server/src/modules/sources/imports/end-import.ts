import type { ImportDone } from '@portolan/contract/imports';
import type { Actor } from '../../../platform/actor.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import type { IngestDeps } from '../ingest/ingest.deps.ts';
import { openSync } from '../ingest/ingest-chunk.ts';
import { countUnseen } from '../ingest/ledger.store.ts';
import { updateSync } from '../ingest/sync.store.ts';
import type { StoredSync } from '../ingest/sync.ts';
import { countUnplanned } from '../ingest/waiting.store.ts';

/** Ends an import and says what became of its lines. @throws AppError `import_ended` */
export function endImport(
  deps: IngestDeps,
  actor: Actor,
  syncKey: number,
  status: 'completed' | 'failed' | 'cancelled',
): Promise<ImportDone> {
  return deps.unitOfWork(actor, async (work) => {
    const before = await openSync(work, syncKey);
    const missing = await countMissing(work, before);
    const message = 'It was to stop at the first line that is refused; what was stored before stays';
    const problem = status === 'failed' ? { code: 'stopped', message } : null;
    const sync = {
      ...before,
      status,
      problem,
      isWhole: status === 'completed',
      endedAt: work.now,
      touchedAt: work.now,
    };
    await updateSync(work.tx, actor.orgId, sync);
    if (!sync.isPlan) recordEnd(work, sync);
    const { created, changed, unchanged, refused, waiting } = sync.counts;
    const counts = { created, changed, unchanged, refused, waiting };
    return { done: true, import: sync.id, status, lines: sync.lines, ...counts, missing };
  });
}

function countMissing({ tx, actor }: Work, { sourceKey, key, isPlan }: StoredSync): Promise<number> {
  if (sourceKey === null) return Promise.resolve(0);
  return isPlan ? countUnplanned(tx, actor.orgId, sourceKey, key) : countUnseen(tx, actor.orgId, sourceKey, key);
}

function recordEnd(work: Work, { id, status, lines, counts }: StoredSync): void {
  work.record({
    event: 'import.ended',
    action: 'OTHER',
    resourceType: 'import',
    identifier: id,
    context: { syncId: id },
    message: `The import is ${status}: ${lines} lines`,
    after: counts,
  });
}
