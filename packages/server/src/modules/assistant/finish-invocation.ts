import type { InvocationEvent } from '@portolan/contract';
import { systemActor } from '../../platform/actor.ts';
import type { AppError } from '../../platform/errors.ts';
import { type Quotas, quotasOf } from '../identity/index.ts';
import type { AssistantDeps } from './assistant.deps.ts';
import { lockUnended, sendEnding } from './ending.store.ts';
import { lastSequence, type NumberedEvent } from './event.store.ts';
import { type LeftOfStream, numbered } from './event-log.ts';
import type { Ending, Invocation } from './invocation.store.ts';
import { holdInvocations, setUp, storable, writeInvocationEntity } from './invocation-entity.ts';
import type { LoopUsage } from './loop/loop-event.ts';
import { failureEvents } from './loop/wire-events.ts';
import { afterRun, type RunUse, type UsageNow, usageOf } from './usage-ledger.ts';

/** How a run ended. */
export interface Ended {
  /** Everything it said; what a failed run said before it failed is kept. */
  readonly text: string;
  /** Absent when it ended well. */
  readonly error?: AppError | undefined;
  readonly executionLog?: string;
  readonly usage: LoopUsage;
  readonly provider: string;
  readonly model: string;
  readonly isLanguageModel: boolean;
}

/** The limits of an organization that was deleted while it ran. */
const noQuotas: Quotas = { monthlyInvocations: 0, hourlyRequests: 0, hourlyTokens: 0 };

/**
 * Ends a run, once: status, answer, log and limits are settled, the entity is updated and the last events are stored,
 * in one transaction, before a reader can see `done`. Answers the events it stored, or undefined if it had ended already.
 */
export function finishInvocation(
  deps: AssistantDeps,
  invocation: Pick<Invocation, 'orgId' | 'id'>,
  ended: Ended,
  /** Where the stream stands, as the process that ran it knows. */
  left?: LeftOfStream,
): Promise<NumberedEvent[] | undefined> {
  const { orgId, id } = invocation;
  return deps.unitOfWork(systemActor(orgId), async (work) => {
    const { tx, now } = work;
    // the first waits for its lock, the second travels with it
    const [running, held] = await Promise.all([lockUnended(tx, orgId, id, now), holdInvocations(work)]);
    if (!running) return undefined;
    const blueprint = setUp(held);
    const { plan, quotas } = running;
    const use = useOf(ended, running.askedAt, now);
    const allowed = plan && quotas ? quotasOf({ plan, quotas }) : noQuotas;
    const usage = afterRun(usageOf(allowed, running, now), use);
    const told = storableTexts(ended);
    await writeInvocationEntity(deps.catalog, work, blueprint, 'existing', entityOf(id, ended, told, usage, now));
    const { last, unstored } = left ?? { last: await lastSequence(tx, orgId, id), unstored: [] };
    const events = [...unstored, ...numbered(lastEvents(ended, told, usage), last)];
    const ending: Ending = {
      state: ended.error ? 'failed' : 'completed',
      response: told.response,
      errorCode: ended.error?.code ?? null,
      errorMessage: told.error,
      provider: ended.provider,
      model: ended.model,
      usage: {
        ...ended.usage,
        isLanguageModel: ended.isLanguageModel,
        durationMs: Math.max(0, now.getTime() - running.askedAt.getTime()),
      },
      repliedAt: now,
    };
    work.last(async () => sendEnding(tx, { orgId, invocationId: id, events }, ending, use));
    return events;
  });
}

function useOf({ usage, error }: Ended, askedAt: Date, now: Date): RunUse {
  const tokens = usage.inputTokens + usage.outputTokens;
  return { askedAt, now, tokens, costUsd: usage.costUsd, isRefunded: error !== undefined && usage.steps === 0 };
}

interface Told {
  readonly response: string | null;
  readonly error: string | null;
}

function storableTexts({ text, error }: Ended): Told {
  return { response: text === '' ? null : storable(text), error: error ? storable(error.message) : null };
}

function entityOf(id: string, ended: Ended, { response, error }: Told, usage: UsageNow, now: Date) {
  return {
    identifier: id,
    properties: {
      status: ended.error ? 'Failed' : 'Completed',
      replied_at: now.toISOString(),
      ...(error === null ? {} : { error }),
      ...(response === null ? {} : { response }),
      ...(ended.executionLog ? { execution_logs: storable(ended.executionLog) } : {}),
      quota: usage.monthlyQuotaUsage,
      provider: ended.provider,
      model: ended.model,
    },
  };
}

function lastEvents({ error }: Ended, { response }: Told, usage: UsageNow): InvocationEvent[] {
  const done: InvocationEvent = { event: 'done', data: { status: error ? 'Failed' : 'Completed', ...usage } };
  return error ? [...failureEvents(error, response !== null), done] : [done];
}
