import { AppError } from '../errors.ts';

export interface Deadline {
  readonly timeoutMs: number;
  /** The error message on timeout. */
  readonly late: string;
  /** Aborts the work early. */
  readonly stop: AbortSignal;
}

/** Settles when the work does, on timeout, or on abort; the work itself may go on unobserved. */
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
