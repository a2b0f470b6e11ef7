import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { z } from 'zod';
import { AppError } from '../../platform/errors.ts';
import { defineJob, type JobDeclaration } from '../../platform/jobs/job.ts';
import type { AssistantDeps } from './assistant.deps.ts';
import { readEventsWithin } from './event.store.ts';
import { endRecord, finishInvocation, type InvocationResult } from './finish-invocation.ts';
import { type AbandonedInvocation, claimAbandoned } from './invocation.store.ts';
import { interruptedError } from './invocation-runner.ts';
import { createExecutionLog } from './loop/execution-log.ts';
import { toLoopEvents } from './loop/read-back.ts';
import { deleteOldMinutes } from './usage.store.ts';

/** Longer than accepting a question takes. A reservation that is given back too early only fails its acceptance. */
const reservedMs = 60_000;
/** Five missed heartbeats. */
const silenceMs = 15_000;
/** Bytes of events read per invocation: as much as its log can hold. */
const readBytesMax = 512 * 1024;
const statementMs = 10_000;
/** Attempts with all stored events, then without them; after that only the record is ended. */
const triesMax = { whole: 3, bare: 2 };
/** Length of a pass, so that a job ends before the next is due. */
const passMs = 3_000;

/**
 * Fails invocations without a heartbeat since a moment; answer and log are rebuilt from their stream. Idempotent: ended
 * invocations are skipped, and one that cannot be ended is retried later. Returns how many it ended; stops when the
 * signal aborts.
 */
async function sweepInvocations(deps: AssistantDeps, silentSince: Date, signal?: AbortSignal): Promise<number> {
  const tried: string[] = [];
  const begunMs = performance.now();
  let ended = 0;
  while (signal?.aborted !== true && performance.now() - begunMs < passMs) {
    const invocation = await claimAbandoned(deps.database, silentSince, deps.runner, tried);
    if (!invocation) break;
    tried.push(`${invocation.orgId}/${invocation.id}`);
    try {
      if (await endAbandoned(deps, invocation)) ended += 1;
    } catch (error) {
      deps.log.warn(
        { err: error, invocation: invocation.id, tries: invocation.tries },
        'a run that was left over could not be ended',
      );
    }
    await yieldToOthers();
  }
  return ended;
}

async function endAbandoned(deps: AssistantDeps, invocation: AbandonedInvocation): Promise<boolean> {
  const { orgId, id, tries } = invocation;
  const isRecordAlone = tries > triesMax.whole + triesMax.bare;
  const ended = tries <= triesMax.whole ? await endedWithWhatItLeft(deps, invocation) : endedBare(invocation);
  if (isRecordAlone)
    deps.log.error({ invocation: id, orgId }, 'a run is ended without its entity, which cannot be written');
  const events = isRecordAlone
    ? await endRecord(deps, invocation, ended)
    : await finishInvocation(deps, invocation, ended, { statementMs });
  if (!events) return false;
  deps.events.stored(orgId, id);
  deps.observer.swept();
  return true;
}

async function endedWithWhatItLeft(deps: AssistantDeps, invocation: AbandonedInvocation): Promise<InvocationResult> {
  const { events, isWhole } = await readEventsWithin(deps.database, invocation.orgId, invocation.id, readBytesMax);
  const left = toLoopEvents(events);
  const bare = endedBare(invocation);
  const usage = { ...bare.usage, toolCalls: left.filter(({ type }) => type === 'tool-result').length };
  const text = left.map((event) => (event.type === 'segment' ? event.text : '')).join('');
  const executionLog = createExecutionLog(invocation.prompt);
  for (const event of left) executionLog.record(event);
  if (!isWhole) executionLog.note('What came after this was too much to be read back');
  executionLog.record({ type: 'failure', error: bare.error, text, usage });
  return { ...bare, text, usage, executionLog: executionLog.render() };
}

function endedBare({ provider, model }: AbandonedInvocation) {
  return {
    text: '',
    error: interruptedError(),
    usage: { inputTokens: 0, outputTokens: 0, steps: 1, toolCalls: 0, unreportedSteps: 1, costUsd: null },
    provider,
    model,
    isLanguageModel: provider !== 'built-in',
  };
}

/**
 * Ends what has been silent for long.
 * @param backAt when the database came back after it was away: nobody could say until then that their invocations live
 */
export async function sweepAbandoned(deps: AssistantDeps, backAt?: Date): Promise<number> {
  const now = deps.clock.now().getTime();
  const isBackJustNow = backAt !== undefined && now - backAt.getTime() < silenceMs;
  const ended = isBackJustNow ? 0 : await sweepInvocations(deps, new Date(now - silenceMs));
  await deps.ledger.sweep(new Date(now - reservedMs));
  return ended;
}

/** Gives back what earlier processes reserved, and ends their invocations, in the background, until none is left or it is stopped. */
export interface LeftoverSweep {
  stop(): Promise<void>;
}

export function sweepLeftovers(deps: AssistantDeps): LeftoverSweep {
  const stop = new AbortController();
  const before = deps.clock.now();
  const sweeping = (async () => {
    await deps.ledger.sweep(before);
    while (!stop.signal.aborted && (await sweepInvocations(deps, before, stop.signal)) > 0);
  })().catch((error: unknown) => deps.log.warn({ err: error }, 'runs that were left over could not be looked for'));
  return {
    async stop() {
      stop.abort(new AppError('service_unavailable', 'The server is stopping'));
      await sweeping;
    },
  };
}

export function sweepJob(deps: AssistantDeps): JobDeclaration {
  let backAt: Date | undefined;
  deps.database.engine.presence.onChange((isAway) => {
    if (!isAway) backAt = deps.clock.now();
  });
  return defineJob({
    name: 'assistant.sweep-invocations',
    input: z.object({}),
    attempts: 1,
    timeoutMs: 60_000,
    everyMs: 5_000,
    run: async () => {
      await sweepAbandoned(deps, backAt);
      await deps.database.transaction((tx) => deleteOldMinutes(tx, deps.clock.now()));
    },
  }) as unknown as JobDeclaration;
}
