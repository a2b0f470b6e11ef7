import { z } from 'zod';
import { defineJob, type JobDeclaration } from '../../platform/jobs/job.ts';
import type { AssistantDeps } from './assistant.deps.ts';
import { readEventsAfter } from './event.store.ts';
import { finishInvocation } from './finish-invocation.ts';
import { findAbandoned } from './invocation.store.ts';
import { createExecutionLog } from './loop/execution-log.ts';
import { loopEventsOf } from './loop/read-back.ts';
import { interruptedError } from './runs.ts';
import { forgetOldMinutes } from './usage-ledger.ts';

/** Five missed heartbeats: the process is gone. */
const silenceMs = 15_000;

/**
 * Ends runs that were silent since a moment as failed, with the reason; answer and log are what their process left
 * behind in the stream. Ending one twice is harmless: the second finds it ended.
 */
export async function sweepInvocations(deps: AssistantDeps, silentSince: Date): Promise<number> {
  const abandoned = await findAbandoned(deps.database, silentSince, deps.runner);
  for (const run of abandoned) {
    const left = loopEventsOf(await readEventsAfter(deps.database, run.orgId, run.id, 0));
    const toolCalls = left.filter(({ type }) => type === 'tool-result').length;
    const usage = { inputTokens: 0, outputTokens: 0, steps: 1, toolCalls, unreportedSteps: 1, costUsd: null };
    const text = left.map((event) => (event.type === 'segment' ? event.text : '')).join('');
    const error = interruptedError();
    const executionLog = createExecutionLog(run.prompt);
    for (const event of left) executionLog.record(event);
    executionLog.record({ type: 'failure', error, text, usage });
    const ended = await finishInvocation(deps, run, {
      text,
      error,
      executionLog: executionLog.render(),
      usage,
      provider: run.provider,
      model: run.model,
      isLanguageModel: run.provider !== 'built-in',
    });
    if (ended) deps.observer.swept();
  }
  return abandoned.length;
}

/** Ends the runs of which nothing was heard for a while. */
export function sweepAbandoned(deps: AssistantDeps): Promise<number> {
  return sweepInvocations(deps, new Date(deps.clock.now().getTime() - silenceMs));
}

export function sweepJob(deps: AssistantDeps): JobDeclaration {
  return defineJob({
    name: 'assistant.sweep-invocations',
    input: z.object({}),
    attempts: 1,
    timeoutMs: 60_000,
    everyMs: 5_000,
    run: async () => {
      await deps.database.transaction((tx) => forgetOldMinutes(tx, deps.clock.now()));
      await sweepAbandoned(deps);
    },
  }) as unknown as JobDeclaration;
}
