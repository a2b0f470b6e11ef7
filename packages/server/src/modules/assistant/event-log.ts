import type { InvocationEvent } from '@portolan/contract';
import type { Database } from '../../platform/db/database.ts';
import { pause } from '../../platform/pause.ts';
import { type EventBatch, insertEventBatches, type NumberedEvent, readEventsAfter } from './event.store.ts';

/** The stream of one running invocation, as this process writes it. */
export interface EventStream {
  /** Adds events; they are stored, and only then seen by readers. Never waits. */
  append(events: readonly InvocationEvent[]): void;
  /**
   * Ends the appending: resolves when nothing is being stored any more, with what the caller is to store itself, together
   * with the end.
   * @throws the reason if storing failed for good
   */
  settled(): Promise<LeftOfStream>;
  /** Shows readers what the caller stored, and forgets the stream: later readers find it in the database. */
  close(last: readonly NumberedEvent[]): void;
}

/** How a stream stands when its run is over. */
export interface LeftOfStream {
  /** Appended last, and not stored yet. */
  readonly unstored: readonly NumberedEvent[];
  /** The sequence of the last event, stored or not. */
  readonly last: number;
}

/** The event streams of all invocations: written in group commits, read live or from the database. */
export interface EventLog {
  open(orgId: string, invocationId: string, first: readonly NumberedEvent[]): EventStream;
  /** Events after a sequence, as they are stored, until `done` or until the signal aborts; from any replica. */
  read(orgId: string, invocationId: string, after: number, signal: AbortSignal): AsyncGenerator<NumberedEvent[]>;
}

interface Live {
  /** What is stored, in order; `stored[0]` has sequence 1. */
  readonly stored: NumberedEvent[];
  pending: NumberedEvent[];
  lastSequence: number;
  /** The first letters go at once. */
  hasSpoken: boolean;
  /** They were handed to the database. */
  isShown: boolean;
  /** What storing failed with; the run then ends. */
  failure: unknown;
  isGivenUp: boolean;
  /** Who waits for more; told once, whether they still listen or not. */
  waiting: (() => void)[];
}

/** How often a reader looks for events that another process stores. */
const pollMs = 200;
const storeAttempts = 3;
/**
 * How long single letters, but for the first, wait for others: shorter than an eye notices, and a statement for several
 * of them.
 */
const gatherMs = 40;

/**
 * One statement stores what all running invocations have appended since the last one: at rest an event is stored at
 * once, and under load the batches grow instead of the queue.
 */
export function createEventLog(database: Database): EventLog {
  const live = new Map<string, Live>();
  const due = new Map<string, EventBatch & { readonly stream: Live }>();
  let isStoring = false;
  let gathering: NodeJS.Timeout | undefined;

  /** Never rejects: what cannot be stored is the failure of its streams. */
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
      }
    }
    isStoring = false;
  }

  /** What is appended in this turn of the event loop goes into one statement; single letters gather a little longer. */
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

  /** Storing again is harmless: a batch that is there already stays. */
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
      const key = keyOf(orgId, invocationId);
      const stream: Live = {
        stored: [...first],
        pending: [],
        lastSequence: first.length,
        hasSpoken: false,
        isShown: false,
        failure: undefined,
        isGivenUp: false,
        waiting: [],
      };
      live.set(key, stream);
      return {
        append(events) {
          if (events.length === 0) return;
          stream.pending.push(...numbered(events, stream.lastSequence));
          stream.lastSequence += events.length;
          due.set(key, { orgId, invocationId, events: [], stream });
          const canWait = stream.hasSpoken && events.every(({ event }) => event === 'text_delta');
          stream.hasSpoken = true;
          storeSoon(canWait);
        },
        async settled() {
          // what nobody was shown anything of does not wait for the end of the run
          const unstored = stream.isShown ? stream.pending : [];
          if (stream.isShown) {
            due.delete(key);
            stream.pending = [];
          } else begin();
          const last = stream.lastSequence;
          while (stream.failure === undefined && stream.stored.length < last - unstored.length) await nextWake(stream);
          if (stream.failure !== undefined) throw stream.failure;
          return { unstored, last };
        },
        close(last) {
          stream.stored.push(...last);
          // without last events somebody else ends the run, and readers find the end in the database
          stream.isGivenUp = last.length === 0;
          live.delete(key);
          wake(stream);
        },
      };
    },
    async *read(orgId, invocationId, after, signal) {
      let seen = after;
      // kept when the run ends meanwhile: what it stored last is in it too
      let stream = live.get(keyOf(orgId, invocationId));
      // one listener for the whole stream: it has hundreds of turns
      let proceed = (): void => undefined;
      const stop = (): void => proceed();
      signal.addEventListener('abort', stop, { once: true });
      try {
        while (!signal.aborted) {
          stream ??= live.get(keyOf(orgId, invocationId));
          if (stream?.isGivenUp && stream.stored.length <= seen) stream = undefined;
          const events = stream
            ? stream.stored.slice(seen)
            : await readEventsAfter(database, orgId, invocationId, seen);
          if (events.length > 0) {
            yield events;
            seen = events.at(-1)?.sequence ?? seen;
            if (events.at(-1)?.event === 'done') return;
          } else if (stream) {
            const { waiting } = stream;
            await new Promise<void>((resolve) => {
              proceed = resolve;
              waiting.push(resolve);
            });
          } else await pause(pollMs, signal);
        }
      } finally {
        signal.removeEventListener('abort', stop);
      }
    },
  };
}

/** Events with their places in the stream, after the last one that has a place. */
export function numbered(events: readonly InvocationEvent[], after: number): NumberedEvent[] {
  return events.map(({ event, data }, index) => ({ sequence: after + index + 1, event, data }));
}

function keyOf(orgId: string, invocationId: string): string {
  return `${orgId}/${invocationId}`;
}

function wake(stream: Live): void {
  const { waiting } = stream;
  stream.waiting = [];
  for (const resolve of waiting) resolve();
}

function nextWake({ waiting }: Live): Promise<void> {
  return new Promise((resolve) => void waiting.push(resolve));
}
