/** Calls `action` at once and then at most once per interval; the last request is never lost. */
export interface Throttle {
  ask(): void;
  /** Drops pending and future requests. */
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
