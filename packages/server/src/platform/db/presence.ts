import { DatabaseError, type EngineLog } from './engine.ts';

/** Since when, and why, the database does not answer. */
export interface Absence {
  readonly sinceMs: number;
  readonly error: Error;
}

/**
 * Whether the database answers, as far as is known without asking it. While it is away nobody but the question of this
 * presence goes there: whoever needs a connection is held.
 */
export interface Presence {
  absence(): Absence | undefined;
  /** What is wrong with a database that answers: it is not migrated. Asks if nobody asked in the last second. */
  check(): Promise<{ readonly absence: Absence | undefined; readonly problem: Error | undefined }>;
  /** Undefined while the database answers. Else resolves when it does again. @throws DatabaseError 08006 if that takes too long */
  held(): Promise<void> | undefined;
  /** Somebody lost a connection: asks at once, and resolves when it is known whether the database is away. */
  doubt(error: DatabaseError): Promise<void>;
  /** Calls `listener` whenever the database goes away or comes back. */
  onChange(listener: (isAway: boolean) => void): void;
  /** Begins to ask every second. */
  start(): void;
  close(): void;
}

export interface PresencePorts {
  /** Asks over a connection that nothing else uses; answers what is wrong with the database, and rejects if there is no answer. */
  readonly ask: (deadlineMs: number) => Promise<Error | undefined>;
  /** How many statements were answered so far, whoever sent them. */
  readonly answers: () => number;
  readonly log?: EngineLog | undefined;
  readonly limits?: Partial<typeof limitsDefault>;
  readonly nowMs?: () => number;
}

const limitsDefault = {
  /** How often the question is asked, and how long an answer may take. */
  everyMs: 1_000,
  askMs: 1_000,
  /** How often it is asked while the database is away. */
  awayMs: 250,
  /** How long whoever needs a connection is held: under the 30 s of common proxies, for clients that never ask again. */
  heldMs: 25_000,
};

/** One unanswered question may be an accident of its connection. */
const failuresMax = 2;

export function createPresence({
  ask,
  answers,
  log,
  limits = {},
  nowMs = () => performance.now(),
}: PresencePorts): Presence {
  const { everyMs, askMs, awayMs, heldMs } = { ...limitsDefault, ...limits };
  const listeners: ((isAway: boolean) => void)[] = [];
  const waiting = new Set<(error?: Error) => void>();
  let absence: Absence | undefined;
  let problem: Error | undefined;
  let failures = 0;
  let askedMs = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStarted = false;
  let isClosed = false;

  const comeBack = (): void => {
    failures = 0;
    if (!absence) return;
    log?.warn({ afterMs: Math.round(nowMs() - absence.sinceMs) }, 'the database answers again');
    absence = undefined;
    for (const release of [...waiting]) release();
    for (const listener of listeners) listener(false);
  };

  const goAway = (error: Error): void => {
    if (absence) return;
    absence = { sinceMs: nowMs(), error };
    log?.warn({ error }, 'the database does not answer: requests are held');
    for (const listener of listeners) listener(true);
  };

  const question = async (): Promise<void> => {
    askedMs = nowMs();
    const before = answers();
    try {
      const found = await ask(askMs);
      if (isClosed) return;
      problem = found;
      comeBack();
    } catch (error) {
      // under load the question may come late, or its own connection be lost, while others are answered
      if (answers() > before) return comeBack();
      failures += 1;
      if (failures >= failuresMax && !isClosed) goAway(error as Error);
    } finally {
      asking = undefined;
      schedule();
    }
  };

  const askNow = (): Promise<void> => {
    asking ??= question();
    return asking;
  };

  const schedule = (): void => {
    clearTimeout(timer);
    if (isClosed || (!isStarted && !absence)) return;
    const pauseMs = absence ? awayMs * (0.5 + Math.random()) : everyMs;
    timer = setTimeout(() => void askNow(), pauseMs);
    timer.unref();
  };

  return {
    absence: () => absence,
    async check() {
      if (!isClosed && nowMs() - askedMs > everyMs) {
        await askNow();
        if (failures > 0 && !absence) await askNow();
      }
      return { absence, problem };
    },
    held() {
      if (!absence || isClosed) return undefined;
      return new Promise((resolve, reject) => {
        const end = (error?: Error): void => {
          clearTimeout(patience);
          waiting.delete(end);
          if (error) reject(error);
          else resolve();
        };
        const patience = setTimeout(() => end(new DatabaseError('The database does not answer', '08006')), heldMs);
        waiting.add(end);
      });
    },
    async doubt(error) {
      if (absence || isClosed) return;
      // a question that is under way may have been answered before the connection was lost
      await asking;
      failures = Math.max(failures, failuresMax - 1);
      await askNow();
      if (absence) log?.warn({ error }, 'a connection to the database was lost');
    },
    onChange: (listener) => void listeners.push(listener),
    start() {
      isStarted = true;
      void askNow();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      problem = new Error('The database is closed');
      absence = undefined;
      for (const end of [...waiting]) end(new DatabaseError('The database is closed', '08003'));
    },
  };
}
