/** The server sends a heartbeat every 15 s: after this much silence the connection counts as lost. */
const silentMs = 40_000;

/** Chunks as they arrive. Not every browser can iterate over a stream. @throws Error after `silentMs` of silence */
export async function* readChunks(response: Response): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const silence = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error('The stream is silent')), silentMs);
      });
      try {
        const { done, value } = await Promise.race([reader.read(), silence]);
        if (done) return;
        yield value;
      } finally {
        clearTimeout(timer);
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** Waits; ends early when the browser comes back online or the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      window.removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    window.addEventListener('online', end);
  });
}
