import { AppError } from '../errors.ts';

export interface Deadline {
  readonly timeoutMs: number;
  /** What is said of work that takes longer. */
  readonly late: string;
  /** Aborted when the work is to stop before its time. */
  readonly stop: AbortSignal;
}

/** Ends when the work does, when its time is up, or when it is to stop; work that goes on then is on its own. */
export async function withDeadline(
  { timeoutMs, late, stop }: Deadline,
  work: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const controller = new AbortController();
  let abort: (reason: Error) => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = (reason) => {
      controller.abort(reason);
      reject(reason);
    };
  });
  const onStop = (): void => abort(new AppError('service_unavailable', 'The process is stopping'));
  const timer = setTimeout(() => abort(new AppError('internal_error', late)), timeoutMs);
  stop.addEventListener('abort', onStop, { once: true });
  try {
    await Promise.race([work(controller.signal), aborted]);
  } finally {
    clearTimeout(timer);
    stop.removeEventListener('abort', onStop);
  }
}
