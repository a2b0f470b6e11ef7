import { AppError } from '../../../platform/errors.ts';

/** Time limits of a run, all in milliseconds. */
export interface TimeLimits {
  readonly totalMs: number;
  /** From the call of the model to the first thing it says, retries included. */
  readonly firstContentMs: number;
  readonly betweenContentsMs: number;
}

/**
 * One signal for everything a run waits for: the caller's signal, the total time and the model's silences. When it
 * aborts, its reason is the error the run fails with.
 */
export interface Watchdog {
  readonly signal: AbortSignal;
  /** A model was called: it has to say something. */
  expectFirst(): void;
  /** It said something: from now on the shorter patience holds, anew with each call. */
  saw(): void;
  /** The model is not waited for. */
  rest(): void;
  /** The run ended, and nothing of it is under way. */
  dispose(): void;
  /** The run ended early: what is under way is aborted. Nothing happens after `dispose`. */
  abandon(): void;
}

export function createWatchdog(limits: TimeLimits, callers: AbortSignal): Watchdog {
  const stop = new AbortController();
  const followCaller = (): void => stop.abort(callers.reason);
  if (callers.aborted) followCaller();
  callers.addEventListener('abort', followCaller, { once: true });
  const late = (message: string) => () => stop.abort(new AppError('llm_provider_timeout', message));
  const total = setTimeout(() => {
    const message = `The invocation took longer than ${seconds(limits.totalMs)}`;
    stop.abort(new AppError('invocation_limit_reached', message));
  }, limits.totalMs);
  let silence: NodeJS.Timeout | undefined;
  let hasSpoken = false;
  let isOver = false;
  const dispose = (): void => {
    isOver = true;
    clearTimeout(total);
    clearTimeout(silence);
    callers.removeEventListener('abort', followCaller);
  };
  return {
    signal: stop.signal,
    expectFirst() {
      hasSpoken = false;
      clearTimeout(silence);
      silence = setTimeout(
        late(`The model did not answer within ${seconds(limits.firstContentMs)}`),
        limits.firstContentMs,
      );
    },
    saw() {
      // refreshing costs no allocation, which matters once per token
      if (hasSpoken) return void silence?.refresh();
      hasSpoken = true;
      clearTimeout(silence);
      silence = setTimeout(
        late(`The model said nothing for ${seconds(limits.betweenContentsMs)}`),
        limits.betweenContentsMs,
      );
    },
    rest() {
      clearTimeout(silence);
    },
    dispose,
    abandon() {
      if (isOver) return;
      dispose();
      if (!stop.signal.aborted) stop.abort(new AppError('invocation_cancelled', 'The invocation was abandoned'));
    },
  };
}

function seconds(ms: number): string {
  return `${ms / 1000} s`;
}
