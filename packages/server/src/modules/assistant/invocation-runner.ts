import type { Actor } from '../../platform/actor.ts';
import { AppError } from '../../platform/errors.ts';
import type { AssistantDeps } from './assistant.deps.ts';
import type { Invocation } from './invocation.store.ts';
import { heartbeatInvocations } from './invocation.store.ts';
import { runInvocation } from './run-invocation.ts';
import { type StartInput, startInvocation } from './start-invocation.ts';
import type { UsageNow } from './usage-now.ts';

export interface InvocationRunner {
  /** Accepts a question and answers it in the background; read the event log. @throws AppError as `startInvocation` */
  invoke(
    actor: Actor,
    input: StartInput & { readonly deltas: boolean; readonly traceparent?: string | undefined },
  ): Promise<{ invocation: Invocation; usage?: UsageNow }>;
  /** Aborts an invocation of this process; false if it is not running here. */
  abort(orgId: string, id: string, reason: AppError): boolean;
  start(): void;
  /** Refuses new invocations, waits for active ones, then interrupts them. */
  close(waitMs: number): Promise<void>;
}

interface RunningInvocation {
  readonly orgId: string;
  readonly id: string;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

/** Must stay well below the age at which `sweep-invocations` fails a silent invocation. */
const heartbeatMs = 3_000;

export function createInvocationRunner(deps: AssistantDeps): InvocationRunner {
  const running = new Map<string, RunningInvocation>();
  let isClosing = false;
  let heart: NodeJS.Timeout | undefined;

  function abort(orgId: string, id: string, reason: AppError): boolean {
    const invocation = running.get(`${orgId}/${id}`);
    invocation?.stop.abort(reason);
    return invocation !== undefined;
  }

  async function heartbeat(): Promise<void> {
    const invocations = [...running.values()].map(({ orgId, id }) => ({ orgId, id }));
    if (invocations.length === 0) return;
    const cancelled = await deps.database.transaction((tx) => heartbeatInvocations(tx, invocations, deps.clock.now()));
    for (const { orgId, id, cancelledBy } of cancelled) abort(orgId, id, cancelledError(cancelledBy));
  }

  return {
    abort,
    async invoke(actor, input) {
      if (isClosing) throw new AppError('service_unavailable', 'The server is stopping; ask again in a moment');
      const started = await startInvocation(deps, actor, input).catch((error: unknown) => {
        if (error instanceof AppError) deps.observer.refused(error.code);
        throw error;
      });
      const { invocation } = started;
      if (!started.isNew) return { invocation };
      const stream = deps.events.open(actor.orgId, invocation.id, started.first.events);
      const stop = new AbortController();
      const key = `${actor.orgId}/${invocation.id}`;
      const { organization, agent, refusal, model, receipts } = started;
      const { request, deltas } = input;
      const ended = runInvocation(deps, stream, {
        actor,
        invocation,
        organization,
        model,
        receipts,
        request,
        deltas,
        signal: stop.signal,
        ...(agent ? { agent } : {}),
        ...(refusal ? { refusal } : {}),
        ...(input.traceparent ? { traceparent: input.traceparent } : {}),
      }).finally(() => running.delete(key));
      running.set(key, { orgId: actor.orgId, id: invocation.id, stop, ended });
      return { invocation, usage: started.usage };
    },
    start() {
      heart = setInterval(() => {
        heartbeat().catch((error: unknown) => deps.log.warn({ err: error }, 'runs could not say that they live'));
      }, heartbeatMs);
      heart.unref();
    },
    async close(waitMs) {
      isClosing = true;
      clearInterval(heart);
      const all = [...running.values()];
      const patience = setTimeout(() => {
        for (const { stop } of all) stop.abort(interruptedError());
      }, waitMs);
      await Promise.all(all.map(({ ended }) => ended));
      clearTimeout(patience);
    },
  };
}

export function cancelledError(by: string): AppError {
  return new AppError('invocation_cancelled', `The invocation was cancelled by ${by}`);
}

export function interruptedError(): AppError {
  return new AppError(
    'invocation_interrupted',
    'The process that ran the invocation ended before it was finished. Nothing is running any more; ask again.',
  );
}
