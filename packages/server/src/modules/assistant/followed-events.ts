import type { Database } from '../../platform/db/database.ts';
import { findStored, type NumberedEvent, readStored } from './event.store.ts';
import type { EventSignals, InvocationKey } from './event-signals.ts';

/** Events of an invocation for readers of this process; `stored[0]` has sequence 1. */
export interface EventSource {
  readonly stored: readonly NumberedEvent[];
  /** Set when nothing more comes. */
  readonly isOver: boolean;
  waiting: (() => void)[];
}

/**
 * Streams that this process reads but does not write: those of other processes and of ended invocations. Each is read
 * once for all readers, and again after an announcement.
 */
export interface FollowedEvents {
  follow(key: InvocationKey): { readonly source: EventSource; leave(): void };
  told(key: InvocationKey): void;
  /** Called when announcements may have been missed. */
  lookAgain(): void;
  close(): void;
}

interface FollowedInvocation {
  readonly key: InvocationKey;
  readonly stored: NumberedEvent[];
  isOver: boolean;
  waiting: (() => void)[];
  readers: number;
  reading: 'no' | 'yes' | 'again';
}

/** Interval of the fallback poll for missed announcements, one statement for all streams. */
const lookMs = 5_000;

export function createFollowedEvents(
  { database, log }: { readonly database: Database; readonly log: { warn(context: object, message: string): void } },
  signals: Pick<EventSignals, 'listen' | 'follow'>,
): FollowedEvents {
  const followed = new Map<string, FollowedInvocation>();
  let looking: NodeJS.Timeout | undefined;
  let isClosed = false;

  const open = (): FollowedInvocation[] => [...followed.values()].filter(({ isOver }) => !isOver);

  /** One read at a time; announcements meanwhile cause one more. */
  async function read(each: FollowedInvocation): Promise<void> {
    if (each.isOver) return;
    if (each.reading !== 'no') {
      each.reading = 'again';
      return;
    }
    each.reading = 'yes';
    try {
      const [orgId, invocationId] = each.key;
      const found = await readStored(database, orgId, invocationId, each.stored.length);
      each.stored.push(...(found?.events ?? []));
      each.isOver ||= found?.isRunning !== true;
    } catch (error) {
      log.warn({ error }, 'events could not be read; they are looked for again');
    }
    wake(each);
    const isToldMore = (each.reading as FollowedInvocation['reading']) === 'again';
    each.reading = 'no';
    if (isToldMore) await read(each);
  }

  async function look(): Promise<void> {
    const all = open();
    if (all.length === 0) return;
    signals.follow(all.map(({ key }) => key));
    const news = await findStored(
      database,
      all.map(({ key: [orgId, invocationId], stored }) => ({ orgId, invocationId, after: stored.length })),
    );
    await Promise.all(news.map(({ orgId, invocationId }) => told([orgId, invocationId])));
  }

  function lookRegularly(): void {
    looking ??= setInterval(() => {
      if (open().length === 0) return stopLooking();
      look().catch((error: unknown) => log.warn({ error }, 'events could not be looked for'));
    }, lookMs).unref();
  }

  function stopLooking(): void {
    clearInterval(looking);
    looking = undefined;
  }

  async function begin(each: FollowedInvocation): Promise<void> {
    await signals.listen();
    await read(each);
    if (each.isOver) return;
    // the writing process answers with an announcement, which covers events stored before the request
    signals.follow([each.key]);
    lookRegularly();
  }

  function told(key: InvocationKey): Promise<void> | undefined {
    const each = followed.get(key.join('/'));
    return each && read(each);
  }

  return {
    follow(key) {
      const name = key.join('/');
      let each = followed.get(name);
      if (!each) {
        each = { key, stored: [], isOver: isClosed, waiting: [], readers: 0, reading: 'no' };
        followed.set(name, each);
        void begin(each);
      }
      each.readers += 1;
      const source = each;
      return {
        source,
        leave() {
          source.readers -= 1;
          if (source.readers === 0 && followed.get(name) === source) followed.delete(name);
        },
      };
    },
    told: (key) => void told(key),
    lookAgain() {
      look().catch((error: unknown) => log.warn({ error }, 'events could not be looked for'));
    },
    close() {
      isClosed = true;
      stopLooking();
      for (const each of followed.values()) {
        each.isOver = true;
        wake(each);
      }
    },
  };
}

export function wake(source: Pick<EventSource, 'waiting'>): void {
  const { waiting } = source;
  source.waiting = [];
  for (const resolve of waiting) resolve();
}
