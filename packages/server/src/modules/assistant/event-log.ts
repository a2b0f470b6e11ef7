import type { Database } from '../../platform/db/database.ts';
import { type EventBatch, insertEventBatches, type NumberedEvent } from './event.store.ts';
import { createEventSignals, type InvocationKey } from './event-signals.ts';
import { createFollowedEvents, type EventSource, wake } from './followed-events.ts';
import type { LabelledEvent } from './loop/wire-events.ts';

/** The stream of an invocation running in this process. */
export interface EventStream {
  /** Adds events; readers see them once stored. Never waits. */
  append(events: readonly LabelledEvent[]): void;
  /**
   * Stops appending and resolves when no write is in progress, with the events that the caller must store with the end.
   * @throws the error if storing failed for good
   */
  settled(): Promise<LeftOfStream>;
  /** Shows readers the events that the caller stored, and drops the stream: later readers use the database. */
  close(last: readonly NumberedEvent[]): void;
}

export interface LeftOfStream {
  readonly unstored: readonly NumberedEvent[];
  /** Sequence of the last event, stored or not. */
  readonly last: number;
}

/** Event streams of all invocations: written in group commits, read live or from the database. */
export interface EventLog {
  open(orgId: string, invocationId: string, first: readonly NumberedEvent[]): EventStream;
  /**
   * Stored events after a sequence, from any replica: until `done`, until nothing more can come, until the signal
   * aborts or the log is closed. Waits for notifications, without polling.
   */
  read(orgId: string, invocationId: string, after: number, signal: AbortSignal): AsyncGenerator<NumberedEvent[]>;
  /** Announces events that were not stored through the invocation's stream. */
  stored(orgId: string, invocationId: string): void;
  /** Ends the reading of what runs elsewhere, as the end of the log does: readers go on at another replica. */
  leave(): void;
  close(): Promise<void>;
}

interface LiveInvocation extends EventSource {
  readonly key: InvocationKey;
  readonly stored: NumberedEvent[];
  pending: NumberedEvent[];
  lastSequence: number;
  /** Until set, text is sent without gathering. */
  hasSpoken: boolean;
  /** True once anything was sent to the database. */
  isShown: boolean;
  failure: unknown;
  isOver: boolean;
  /** Time, by `performance.now()`, until which stored events are announced to other processes. */
  followedUntilMs: number;
}

/** Followers repeat their request every five seconds. */
const followedMs = 16_000;
const storeAttempts = 3;
/** How long deltas after the first gather: too short to notice, long enough to combine several per statement. */
const gatherMs = 40;

/**
 * One statement stores everything appended since the last one: when idle, an event is stored at once; under load, the
 * batches grow instead of the queue.
 */
export function createEventLog(ports: {
  readonly database: Database;
  readonly log: { warn(context: object, message: string): void };
}): EventLog {
  const { database } = ports;
  const live = new Map<string, LiveInvocation>();
  const due = new Map<string, EventBatch & { readonly stream: LiveInvocation }>();
  let isStoring = false;
  let gathering: NodeJS.Timeout | undefined;
  const signals = createEventSignals(ports, {
    onFollow(key) {
      const stream = live.get(key.join('/'));
      if (!stream) return;
      stream.followedUntilMs = performance.now() + followedMs;
      signals.stored(key);
    },
    onStored: (key) => followed.told(key),
    onGap: () => followed.lookAgain(),
  });
  const followed = createFollowedEvents(ports, signals);

  /** Also notifies readers in this process that came before the invocation was known here. */
  function tellFollowers({ key, followedUntilMs }: LiveInvocation): void {
    followed.told(key);
    if (performance.now() < followedUntilMs) signals.stored(key);
  }

  /** Never rejects: a storage error fails the affected streams. */
  async function storeAll(): Promise<void> {
    clearTimeout(gathering);
    gathering = undefined;
    while (due.size > 0) {
      const batches = [...due.values()].map((batch) => ({ ...batch, events: batch.stream.pending }));
      due.clear();
      for (const { stream } of batches) {
        stream.pending = [];
        stream.isShown = true;
      }
      const failure = await attempt(batches);
      for (const { stream, events } of batches) {
        if (failure === undefined) stream.stored.push(...events);
        else stream.failure = failure;
        wake(stream);
        tellFollowers(stream);
      }
    }
    isStoring = false;
  }

  /** Stores everything appended in this turn of the event loop in one statement; single deltas gather longer. */
  function storeSoon(isOnlyLetters: boolean): void {
    if (isStoring) return;
    if (isOnlyLetters) {
      gathering ??= setTimeout(begin, gatherMs);
      return;
    }
    begin();
  }

  function begin(): void {
    if (isStoring) return;
    isStoring = true;
    setImmediate(() => void storeAll());
  }

  /** Safe to repeat: a stored batch is not stored again. */
  async function attempt(batches: readonly EventBatch[]): Promise<unknown> {
    let failure: unknown;
    for (let count = 0; count < storeAttempts; count += 1) {
      try {
        await insertEventBatches({ execute: database.executeAlone }, batches);
        return undefined;
      } catch (error) {
        failure = error;
      }
    }
    return failure;
  }

  return {
    open(orgId, invocationId, first) {
      const name = `${orgId}/${invocationId}`;
      const stream: LiveInvocation = {
        key: [orgId, invocationId],
        stored: [...first],
        pending: [],
        lastSequence: first.length,
        hasSpoken: false,
        isShown: false,
        failure: undefined,
        isOver: false,
        followedUntilMs: 0,
        waiting: [],
      };
      live.set(name, stream);
      void signals.listen();
      return {
        append(events) {
          if (events.length === 0) return;
          stream.pending.push(...numbered(events, stream.lastSequence));
          stream.lastSequence += events.length;
          due.set(name, { orgId, invocationId, events: [], stream });
          const canWait = stream.hasSpoken && events.every(({ event }) => event === 'text_delta');
          stream.hasSpoken = true;
          storeSoon(canWait);
        },
        async settled() {
          // a stream with nothing stored yet is stored now; otherwise the caller stores pending events with the end
          const unstored = stream.isShown ? stream.pending : [];
          if (stream.isShown) {
            due.delete(name);
            stream.pending = [];
          } else begin();
          const last = stream.lastSequence;
          while (stream.failure === undefined && stream.stored.length < last - unstored.length) await nextWake(stream);
          if (stream.failure !== undefined) throw stream.failure;
          return { unstored, last };
        },
        close(last) {
          stream.stored.push(...last);
          // without last events another process ends the invocation, and readers find the end in the database
          stream.isOver = last.length === 0;
          live.delete(name);
          wake(stream);
          tellFollowers(stream);
        },
      };
    },
    async *read(orgId, invocationId, after, signal) {
      let seen = after;
      // kept even if the invocation ends meanwhile: it still gets the last events
      let source: EventSource | undefined = live.get(`${orgId}/${invocationId}`);
      let leave = (): void => undefined;
      // one listener per stream instead of one per turn
      let proceed = (): void => undefined;
      const stop = (): void => proceed();
      signal.addEventListener('abort', stop, { once: true });
      try {
        while (!signal.aborted) {
          if (!source) {
            const following = followed.follow([orgId, invocationId]);
            ({ source, leave } = following);
          }
          const events = source.stored.slice(seen);
          if (events.length > 0) {
            yield events;
            seen = events.at(-1)?.sequence ?? seen;
            if (events.at(-1)?.event === 'done') return;
          } else if (!source.isOver) {
            const { waiting } = source;
            await new Promise<void>((resolve) => {
              proceed = resolve;
              waiting.push(resolve);
            });
          } else if (isLive(source)) source = undefined;
          else return;
        }
      } finally {
        leave();
        signal.removeEventListener('abort', stop);
      }
    },
    stored(orgId, invocationId) {
      followed.told([orgId, invocationId]);
      signals.stored([orgId, invocationId]);
    },
    leave: followed.close,
    async close() {
      followed.close();
      await signals.close();
    },
  };
}

function isLive(source: EventSource): source is LiveInvocation {
  return 'pending' in source;
}

export function numbered(events: readonly LabelledEvent[], after: number): NumberedEvent[] {
  return events.map(({ event, data, label }, index) => ({
    sequence: after + index + 1,
    event,
    data,
    ...(label ? { label } : {}),
  }));
}

function nextWake({ waiting }: LiveInvocation): Promise<void> {
  return new Promise((resolve) => void waiting.push(resolve));
}
