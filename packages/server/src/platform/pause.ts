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

/** Waits for something, but no longer than that. */
export async function pauseUntil(done: Promise<void>, milliseconds: number): Promise<void> {
  const late = new AbortController();
  await Promise.race([done, pause(milliseconds, late.signal)]);
  late.abort();
}
