import { AppError } from '../../../platform/errors.ts';

/** Time limits of an invocation in milliseconds. */
export interface TimeLimits {
  readonly totalMs: number;
  /** From calling the model to its first content, retries included. */
  readonly firstContentMs: number;
  readonly betweenContentsMs: number;
}

/**
 * One signal for everything that an invocation waits for: the caller's signal, the total time, and silence of the
 * model. Its reason is the invocation's error.
 */
export interface Watchdog {
  readonly signal: AbortSignal;
  /** A model was called: starts the timeout for first content. */
  expectFirst(): void;
  /** Content arrived: restarts the timeout between contents. */
  saw(): void;
  rest(): void;
  /** Releases timers and listeners at the end of the invocation. */
  dispose(): void;
  /** Aborts pending work. No effect after `dispose`. */
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
      // `refresh` allocates nothing, which matters once per token
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
