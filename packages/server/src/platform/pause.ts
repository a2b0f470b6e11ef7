/** Resolves after `ms`, or when the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const proceed = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', proceed);
      resolve();
    };
    const timer = setTimeout(proceed, ms);
    signal.addEventListener('abort', proceed, { once: true });
    if (signal.aborted) proceed();
  });
}
