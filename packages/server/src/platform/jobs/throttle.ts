/** Calls `action` at once, and then at most once per interval however often it is asked; the last ask is never lost. */
export interface Throttle {
  ask(): void;
  /** Forgets what was asked and ignores what will be. */
  stop(): void;
}

export function createThrottle(intervalMs: number, action: () => void): Throttle {
  let timer: NodeJS.Timeout | undefined;
  let isAsked = false;
  let isStopped = false;
  const act = (): void => {
    isAsked = false;
    timer = setTimeout(() => {
      timer = undefined;
      if (isAsked) act();
    }, intervalMs);
    timer.unref();
    action();
  };
  return {
    ask() {
      if (isStopped) return;
      isAsked = true;
      if (!timer) act();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
