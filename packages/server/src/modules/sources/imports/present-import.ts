import type { Import, ImportProblem } from '@portolan/contract/imports';
import type { StoredSync, SyncProblem } from '../ingest/sync.ts';

const undoDays = 7;
const dayMs = 24 * 60 * 60_000;

export function presentImport(sync: StoredSync, source: string | null, now: Date): Import {
  const { created, changed, unchanged, refused, waiting } = sync.counts;
  const undo = undoUntil(sync);
  return {
    id: sync.id,
    source,
    status: toStatus(sync.status),
    dryRun: sync.isPlan,
    mode: sync.options.mode,
    lines: sync.lines,
    counts: { created, changed, unchanged, refused, waiting },
    ...(sync.problem ? { message: sync.problem.message } : {}),
    createdAt: sync.startedAt.toISOString(),
    createdBy: sync.createdBy,
    endedAt: sync.endedAt?.toISOString() ?? null,
    undoUntil: undo && undo > now ? undo.toISOString() : null,
  };
}

/** Until when an import can be undone; undefined where it cannot. */
export function undoUntil({ sourceKey, isPlan, status, endedAt }: StoredSync): Date | undefined {
  const isDone = status === 'completed' || status === 'failed' || status === 'cancelled';
  if (sourceKey === null || isPlan || !isDone || !endedAt) return undefined;
  return new Date(endedAt.getTime() + undoDays * dayMs);
}

function toStatus(status: StoredSync['status']): Import['status'] {
  return status === 'waiting' || status === 'running' || status === 'incomplete' ? 'open' : status;
}

export function presentProblem(
  problem: {
    readonly [Key in 'line' | 'blueprint' | 'identifier']?: SyncProblem[Key] | null;
  } & Pick<SyncProblem, 'code' | 'message'> & { readonly place?: SyncProblem['place'] | null },
): ImportProblem {
  const { line, blueprint, identifier, code, message, place } = problem;
  return {
    line: line ?? 0,
    ...(blueprint ? { blueprint } : {}),
    ...(identifier ? { identifier } : {}),
    error: code,
    message,
    ...(place?.path ? { path: place.path } : {}),
  };
}
