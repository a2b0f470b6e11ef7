/**
 * What a producer emits, as an iteration. The producer starts when the first event is asked for and never waits for
 * the reader; events that the reader has not taken are kept, in order. Leaving the iteration drops them and calls
 * `leave`, once and only if the producer was started.
 */
export function eventQueue<T>(
  produce: (emit: (event: T) => void) => Promise<void>,
  leave: () => void,
): AsyncIterableIterator<T> {
  let events: T[] = [];
  let taken = 0;
  let state: 'new' | 'running' | 'ended' | 'left' = 'new';
  let failure: { readonly error: unknown } | undefined;
  let waiting: { resolve(result: IteratorResult<T>): void; reject(error: unknown): void } | undefined;

  const emit = (event: T): void => {
    if (state === 'left') return;
    if (!waiting) return void events.push(event);
    const { resolve } = waiting;
    waiting = undefined;
    resolve({ done: false, value: event });
  };
  const end = (error?: { readonly error: unknown }): void => {
    if (state === 'left') return;
    state = 'ended';
    if (!waiting) failure = error;
    else if (error) waiting.reject(error.error);
    else waiting.resolve({ done: true, value: undefined });
    waiting = undefined;
  };

  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next() {
      if (taken < events.length) return Promise.resolve({ done: false, value: events[taken++]! });
      if (taken > 0) {
        events = [];
        taken = 0;
      }
      if (failure) {
        const { error } = failure;
        failure = undefined;
        return Promise.reject(error);
      }
      if (state === 'ended' || state === 'left') return Promise.resolve({ done: true, value: undefined });
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        if (state !== 'new') return;
        state = 'running';
        produce(emit).then(
          () => end(),
          (error: unknown) => end({ error }),
        );
      });
    },
    return() {
      const wasStarted = state === 'running' || state === 'ended';
      if (state !== 'left') {
        state = 'left';
        events = [];
        taken = 0;
        failure = undefined;
        waiting?.resolve({ done: true, value: undefined });
        waiting = undefined;
        if (wasStarted) leave();
      }
      return Promise.resolve({ done: true, value: undefined });
    },
  };
}
