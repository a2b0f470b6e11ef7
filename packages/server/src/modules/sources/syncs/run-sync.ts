import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { systemActor } from '../../../platform/actor.ts';
import { defineJob, type JobDeclaration, Postponed } from '../../../platform/jobs/job.ts';
import { createSecretScope } from '../../../platform/secrets/secret-scope.ts';
import { settleWaiting } from '../ingest/settle-waiting.ts';
import { insertProblems, lockSync, updateSync } from '../ingest/sync.store.ts';
import type { StoredSync, SyncProblem } from '../ingest/sync.ts';
import { SourceRefusal } from '../source-type.ts';
import { findSourceByKey } from '../sources/source.store.ts';
import type { SourcesDeps } from '../sources.deps.ts';
import { endSync } from './end-sync.ts';
import { registerHook } from './hooks.ts';
import { findSourceActor, openReader } from './open-source.ts';
import { storePage } from './store-page.ts';

const input = z.object({ sourceKey: z.coerce.number(), syncKey: z.coerce.number() });
export type SyncJob = JobDeclaration<typeof input>;

const attempts = 5;
/** A sync yields to other jobs after this time, and goes on from its cursor. */
const turnMs = 60_000;

/**
 * Reads one source page by page. A page is read again if the process dies before it was stored whole, which is harmless:
 * what is stored is found unchanged.
 */
export function runSyncJob(deps: SourcesDeps): SyncJob {
  const job: SyncJob = defineJob({
    name: 'sources.run-sync',
    input,
    attempts,
    timeoutMs: 240_000,
    waitsOutside: true,
    dedupeBy: ({ syncKey }) => String(syncKey),
    run: async ({ sourceKey, syncKey }, { orgId, signal, attempt }) => {
      const isOver = await takeTurn(deps, orgId, { sourceKey, syncKey, signal }).catch((error: unknown) =>
        settleFailure(deps, orgId, { sourceKey, syncKey, isLast: attempt >= attempts }, error),
      );
      if (!isOver) await deps.unitOfWork(systemActor(orgId), (work) => work.enqueue(job, { sourceKey, syncKey }));
    },
  });
  return job;
}

interface Turn {
  readonly sourceKey: number;
  readonly syncKey: number;
  readonly signal: AbortSignal;
}

/** Reads pages until all is read or the turn is over; false if there is more. */
async function takeTurn(deps: SourcesDeps, orgId: string, { sourceKey, syncKey, signal }: Turn): Promise<boolean> {
  const source = await findSourceByKey(deps.database, orgId, sourceKey);
  let sync = await touch(deps, orgId, syncKey, { status: 'running', note: null });
  if (!source || !sync) return true;
  const opened = createSecretScope();
  const actor = await findSourceActor(deps, orgId, source, opened);
  const reader = openReader(deps, orgId, source, opened);
  if (sync.cursor === null && !sync.isPlan)
    await noteHook(deps, orgId, syncKey, () => registerHook(deps, orgId, source, reader, signal));
  const start = { mode: sync.mode === 'changes' ? 'changes' : 'full', state: source.state } as const;
  if (sync.cursor === null && sync.nextState === null && reader.readState) {
    const nextState = await reader.readState(start, signal);
    sync = await touch(deps, orgId, syncKey, { nextState });
  }
  const turnEnds = performance.now() + turnMs;
  while (sync && !sync.isWhole) {
    signal.throwIfAborted();
    if (performance.now() > turnEnds) return false;
    const page = await reader.readPage(start, sync.cursor, signal);
    if (page.next !== null && isDeepStrictEqual(page.next, sync.cursor)) {
      throw new Error(`The source "${source.identifier}" does not get on from its cursor`);
    }
    sync = await storePage(deps, actor, source, sync, page);
  }
  if (!sync) return true;
  for await (const settled of settleWaiting(deps, actor, sync)) sync = settled.sync;
  await endSync(deps, actor, source, sync);
  return true;
}

async function noteHook(
  { unitOfWork }: SourcesDeps,
  orgId: string,
  syncKey: number,
  register: () => Promise<SyncProblem | undefined>,
): Promise<void> {
  const problem = await register();
  if (problem) await unitOfWork(systemActor(orgId), ({ tx }) => insertProblems(tx, orgId, syncKey, [problem]));
}

/** Changes what is said of a sync that goes on; undefined if it has ended. */
async function touch(
  { unitOfWork }: SourcesDeps,
  orgId: string,
  syncKey: number,
  change: Partial<Pick<StoredSync, 'status' | 'note' | 'nextState'>>,
): Promise<StoredSync | undefined> {
  return unitOfWork(systemActor(orgId), async ({ tx, now }) => {
    const sync = await lockSync(tx, orgId, syncKey);
    if (!sync || sync.endedAt) return undefined;
    const touched = { ...sync, ...change, touchedAt: now };
    await updateSync(tx, orgId, touched);
    return touched;
  });
}

/** Says at the sync and the source what happened. True if the job is done with it, false never: it is thrown on. */
async function settleFailure(
  deps: SourcesDeps,
  orgId: string,
  { sourceKey, syncKey, isLast }: { readonly sourceKey: number; readonly syncKey: number; readonly isLast: boolean },
  error: unknown,
): Promise<true> {
  if (error instanceof Postponed) {
    await touch(deps, orgId, syncKey, { status: 'waiting', note: error.message });
    throw error;
  }
  const refusal = error instanceof SourceRefusal ? error : undefined;
  if (!refusal && !isLast) {
    await touch(deps, orgId, syncKey, { note: `Failed, and is tried again: ${sentenceOf(error)}` });
    throw error;
  }
  const problem = refusal
    ? { code: refusal.code, message: refusal.message, fix: refusal.fix }
    : { code: 'unreachable', message: sentenceOf(error) };
  const source = await findSourceByKey(deps.database, orgId, sourceKey);
  if (source)
    await endSync(deps, systemActor(orgId), source, { key: syncKey }, { problem, isPausing: Boolean(refusal) });
  return true;
}

function sentenceOf(error: unknown): string {
  return (error instanceof Error ? error.message : 'The source could not be read').slice(0, 500);
}
