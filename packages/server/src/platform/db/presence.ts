import { DatabaseError } from './database-error.ts';
import type { EngineLog } from './engine.ts';
import type { Absence, Answer, Presence } from './presence.types.ts';

export interface PresencePorts {
  /** Probes over a connection of its own; rejects without an answer. */
  readonly ask: (deadlineMs: number) => Promise<Answer>;
  /** Number of statements answered so far, by anybody. */
  readonly answers: () => number;
  readonly log?: EngineLog | undefined;
  readonly limits?: Partial<typeof limitsDefault>;
  readonly nowMs?: () => number;
}

const limitsDefault = {
  /** Interval of the probe, and its timeout. */
  everyMs: 1_000,
  askMs: 1_000,
  /** Interval while the database is away. */
  awayMs: 250,
  /** How long borrowers are held: below the 30 s of common proxies. */
  heldMs: 25_000,
};

/** A single unanswered probe may be an accident of its connection. */
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
  let isReadOnly = false;
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

  const noteReadOnly = (now: boolean): void => {
    if (now === isReadOnly) return;
    isReadOnly = now;
    log?.warn({}, now ? 'the database takes no writes' : 'the database takes writes again');
  };

  const question = async (): Promise<void> => {
    askedMs = nowMs();
    const before = answers();
    try {
      const found = await ask(askMs);
      if (isClosed) return;
      problem = found.problem;
      noteReadOnly(found.isReadOnly);
      comeBack();
    } catch (error) {
      // under load the probe may be late, or lose its connection, while others are answered
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
    isReadOnly: () => isReadOnly,
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
      // a probe under way may have been answered before the connection was lost
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
