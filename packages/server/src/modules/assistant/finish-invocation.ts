import type { ContextUsage, InvocationEvent } from '@portolan/contract/invocation-stream';
import type { Receipts } from '@portolan/contract/receipts';
import { systemActor } from '../../platform/actor.ts';
import { storable } from '../../platform/db/storable.ts';
import type { AppError } from '../../platform/errors.ts';
import { effectiveQuotas, type Quotas } from '../organizations/index.ts';
import type { AssistantDeps } from './assistant.deps.ts';
import { limitStatements, lockUnended, sendEnding, type UnendedInvocation } from './ending.store.ts';
import { lastSequence, type NumberedEvent } from './event.store.ts';
import { type LeftOfStream, numbered } from './event-log.ts';
import type { Invocation, InvocationEnding } from './invocation.store.ts';
import { holdInvocations, setUp, writeInvocationEntity } from './invocation-entity.ts';
import type { LoopUsage } from './loop/loop-event.ts';
import type { RecalledCall } from './loop/recall.ts';
import { failureEvents } from './loop/wire-events.ts';
import type { InvocationUsage } from './settlement.store.ts';
import { afterInvocation, toUsageNow, type UsageNow } from './usage-now.ts';

export interface InvocationResult {
  /** All text; if it failed, the text before the failure. */
  readonly text: string;
  /** Absent on success. */
  readonly error?: AppError | undefined;
  readonly executionLog?: string;
  /** What backs its sentences; absent if it read nothing. */
  readonly receipts?: Receipts | undefined;
  /** Authors of everything that it read; absent if nobody knows. */
  readonly label?: readonly string[];
  readonly usage: LoopUsage;
  readonly provider: string;
  readonly model: string;
  readonly isLanguageModel: boolean;
  /** Of a turn of a conversation. */
  readonly contextUsage?: ContextUsage | undefined;
  /** Notes of the person that the model was shown. */
  readonly notesUsed?: number | undefined;
  readonly recalled?: readonly RecalledCall[] | undefined;
}

export interface FinishOptions {
  /** The state of the stream; absent if its process died. */
  readonly left?: LeftOfStream | undefined;
  /** Statement timeout; none by default. */
  readonly statementMs?: number;
}

/** Used if the organization was deleted during the invocation. */
const noQuotas: Quotas = { monthlyInvocations: 0, hourlyRequests: 0, hourlyTokens: 0 };

/**
 * Ends an invocation once: stores status, answer, log, usage, entity and last events in one transaction, before any
 * reader can see `done`. Returns the stored events, or undefined if it had already ended.
 */
export async function finishInvocation(
  deps: AssistantDeps,
  invocation: Pick<Invocation, 'orgId' | 'id'>,
  ended: InvocationResult,
  { left, statementMs }: FinishOptions = {},
): Promise<NumberedEvent[] | undefined> {
  const { orgId, id } = invocation;
  const events = await deps.unitOfWork(systemActor(orgId), async (work) => {
    const { tx, now } = work;
    if (statementMs !== undefined) await limitStatements(tx, statementMs);
    // the second statement travels with the first, which may wait for its lock
    const [running, held] = await Promise.all([lockUnended(tx, orgId, id, now), holdInvocations(work)]);
    if (!running) return undefined;
    const blueprint = setUp(held);
    const use = toUsage(ended, running, now);
    const usage = afterInvocation(toUsageNow(allowedQuotas(running), running, now), use);
    const told = storableTexts(ended);
    await writeInvocationEntity(
      deps.catalog,
      work,
      blueprint,
      'existing',
      toInvocationEntity(id, ended, told, usage, now),
      ended.label,
    );
    const { last, unstored } = left ?? { last: await lastSequence(tx, orgId, id), unstored: [] };
    const events = [...unstored, ...numbered(lastEvents(ended, told, usage), last)];
    const ending = toEnding(ended, told, running.askedAt, now);
    work.last(async () => sendEnding(tx, { orgId, invocationId: id, events }, ending, use, ended.receipts));
    return events;
  });
  if (events) deps.ledger.settled(orgId);
  return events;
}

/** Ends an invocation whose entity cannot be written, without it. Returns as `finishInvocation`. */
export async function endRecord(
  deps: AssistantDeps,
  { orgId, id }: Pick<Invocation, 'orgId' | 'id'>,
  ended: InvocationResult,
): Promise<NumberedEvent[] | undefined> {
  const events = await deps.database.transaction(async (tx) => {
    const now = deps.clock.now();
    const running = await lockUnended(tx, orgId, id, now);
    if (!running) return undefined;
    const use = toUsage(ended, running, now);
    const told = storableTexts(ended);
    const usage = afterInvocation(toUsageNow(allowedQuotas(running), running, now), use);
    const events = numbered(lastEvents(ended, told, usage), await lastSequence(tx, orgId, id));
    sendEnding(tx, { orgId, invocationId: id, events }, toEnding(ended, told, running.askedAt, now), use);
    return events;
  });
  if (events) deps.ledger.settled(orgId);
  return events;
}

function allowedQuotas({ plan, quotas }: UnendedInvocation): Quotas {
  return plan && quotas ? effectiveQuotas({ plan, quotas }) : noQuotas;
}

function toEnding(ended: InvocationResult, told: StoredTexts, askedAt: Date, now: Date): InvocationEnding {
  return {
    state: ended.error ? 'failed' : 'completed',
    response: told.response,
    errorCode: ended.error?.code ?? null,
    errorMessage: told.error,
    provider: ended.provider,
    model: ended.model,
    label: ended.label ?? null,
    usage: {
      ...ended.usage,
      isLanguageModel: ended.isLanguageModel,
      durationMs: Math.max(0, now.getTime() - askedAt.getTime()),
    },
    repliedAt: now,
    contextUsage: ended.contextUsage ?? null,
    recalled: ended.recalled ?? null,
  };
}

function toUsage(
  { usage, error }: InvocationResult,
  { askedAt, charge }: UnendedInvocation,
  now: Date,
): InvocationUsage {
  const tokens = usage.inputTokens + usage.outputTokens;
  const isRefunded = error !== undefined && usage.steps === 0;
  return { askedAt, now, tokens, costUsd: usage.costUsd, isRefunded, charge };
}

interface StoredTexts {
  readonly response: string | null;
  readonly error: string | null;
}

function storableTexts({ text, error }: InvocationResult): StoredTexts {
  return { response: text === '' ? null : storable(text), error: error ? storable(error.message) : null };
}

function toInvocationEntity(
  id: string,
  ended: InvocationResult,
  { response, error }: StoredTexts,
  usage: UsageNow,
  now: Date,
) {
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

function lastEvents(
  { error, contextUsage, notesUsed }: InvocationResult,
  { response }: StoredTexts,
  usage: UsageNow,
): InvocationEvent[] {
  const done: InvocationEvent = {
    event: 'done',
    data: {
      status: error ? 'Failed' : 'Completed',
      ...usage,
      ...(contextUsage ? { contextUsage } : {}),
      ...(notesUsed ? { notesUsed } : {}),
    },
  };
  return error ? [...failureEvents(error, response !== null), done] : [done];
}
