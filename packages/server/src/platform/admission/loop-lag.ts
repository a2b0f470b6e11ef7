/** Event loop delay in milliseconds: every request waits this long at each turn. */
export interface LoopLag {
  lagMs(): number;
  close(): void;
}

const lookMs = 20;
/** Weight of the newest sample in the average. */
const share = 0.2;

/** Looks fifty times a second, and remembers the last tenth of a second or so. */
export function watchLoopLag(): LoopLag {
  let expectedMs = performance.now() + lookMs;
  let lag = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    lag += share * (Math.max(0, now - expectedMs) - lag);
    expectedMs = now + lookMs;
  }, lookMs);
  timer.unref();
  return { lagMs: () => lag, close: () => clearInterval(timer) };
}
