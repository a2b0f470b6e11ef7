import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { WorkClass } from '../admission/work-class.ts';
import { StartError } from '../start-error.ts';
import { withinMs } from '../within.ts';
import { copyFolder } from './copy-folder.ts';
import { DatabaseError } from './database-error.ts';
import { createDatabaseMetrics } from './database-metrics.ts';
import { notMigrated, stateStatement, toAnswer } from './database-state.ts';
import { type EmbeddedSession, openEmbeddedSession } from './embedded-session.ts';
import { startEmbeddedWorker } from './embedded-thread.ts';
import type { Connection, Engine, EngineLog } from './engine.ts';
import { lockFolder } from './folder-lock.ts';
import { createPresence } from './presence.ts';
import type { Answer } from './presence.types.ts';
import { createTurnstile } from './turnstile.ts';

export interface EmbeddedEngineOptions {
  /** The database is kept in its subfolder `db`; a lock keeps every other process out. */
  readonly dataDir: string;
  /** A longer statement is cancelled (57014), which takes a second because the engine restarts. */
  readonly statementTimeoutMs?: number;
  readonly log?: EngineLog;
  /** Called once a thread opens or makes the database, which needs nothing of this thread until it is ready. */
  readonly onBegun?: () => void;
}

/** The work class of the caller; interactive unless set. */
const workClasses = new AsyncLocalStorage<WorkClass>();

interface Subscription {
  readonly channel: string;
  readonly onPayload: (payload: string) => void;
  readonly onGap: (() => void) | undefined;
}

/**
 * Opens the database in a data folder, making it first if there is none. If its thread ends, whatever was under way
 * fails, and the next caller gets a new one: what was committed is there.
 * @throws FolderInUseError when another process has the folder open
 */
export async function openEmbeddedEngine(options: EmbeddedEngineOptions): Promise<Engine> {
  const { dataDir } = options;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lock = await lockFolder(dataDir);
  try {
    const folder = join(dataDir, 'db');
    await refuseOtherMajor(folder);
    await initialise(dataDir, folder, options);
    return await openFolder(folder, options, () => lock.release());
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Folders in a data folder whose names begin so were left by a process that was killed: the next start removes them. */
export const unfinishedPrefix = 'db.new-';

/** Copies last as long as they are read, which no statement in them should end. */
const copyStatementMs = 24 * 60 * 60 * 1000;

/** The major version of PostgreSQL that PGlite is; it reads no files of another. */
export const embeddedMajor = '18';

/** @throws StartError when the files were written by another major of PostgreSQL, or are no database */
async function refuseOtherMajor(folder: string): Promise<void> {
  const file = join(folder, 'PG_VERSION');
  const major = existsSync(file) ? (await readFile(file, 'utf8')).trim() : embeddedMajor;
  if (major === embeddedMajor) return;
  const advice = 'Start the release of Portolan that wrote it, or restore the folder from a backup.';
  if (!/^\d{1,3}$/.test(major))
    throw new StartError(
      `The embedded database cannot be opened: ${file} is no version, so the folder is damaged. ${advice}`,
    );
  throw new StartError(
    `The embedded database in ${folder} is of PostgreSQL ${major}, and this release has ${embeddedMajor}. ${advice}`,
  );
}

/**
 * Created elsewhere and renamed, so that a killed process leaves nothing half done; in a thread of its own, because
 * creating takes twice the memory of serving.
 */
async function initialise(
  dataDir: string,
  folder: string,
  { onBegun }: Pick<EmbeddedEngineOptions, 'onBegun'>,
): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (name.startsWith(unfinishedPrefix)) await rm(join(dataDir, name), { recursive: true, force: true });
  }
  if (existsSync(join(folder, 'PG_VERSION'))) return;
  const fresh = join(dataDir, `${unfinishedPrefix}${process.pid}`);
  const worker = startEmbeddedWorker(fresh, () => undefined);
  onBegun?.();
  await worker.ready;
  await worker.close();
  await rename(fresh, folder);
}

async function openFolder(
  folder: string,
  { statementTimeoutMs = 30_000, log, onBegun }: EmbeddedEngineOptions,
  onClosed: () => Promise<void>,
): Promise<Engine> {
  const turn = createTurnstile();
  const subscriptions = new Set<Subscription>();
  let current: Promise<EmbeddedSession> | undefined;
  let closing: Promise<void> | undefined;
  let answered = 0;
  const metrics = createDatabaseMetrics();
  const noteWait = metrics.addPool('main', () => {
    const used = turn.isTaken() ? 1 : 0;
    return { used, idle: 1 - used, waiting: turn.waiting(), limit: 1 };
  });

  const open = async (): Promise<EmbeddedSession> => {
    const opening = openEmbeddedSession({
      folder,
      statementTimeoutMs,
      onAnswer: () => {
        answered += 1;
      },
      onFailure: metrics.failed,
      onNotification(channel, payload) {
        for (const each of [...subscriptions]) if (each.channel === channel) each.onPayload(payload);
      },
      onStopped(failure, ended) {
        log?.warn({ error: failure }, 'the embedded database stopped and is started again');
        if (!closing) reopen(ended);
      },
    });
    onBegun?.();
    const session = await opening;
    for (const channel of new Set([...subscriptions].map((each) => each.channel))) await session.listen(channel);
    return session;
  };

  const start = (after: Promise<unknown>): Promise<EmbeddedSession> => {
    const started = after.then(open);
    current = started;
    started.catch(() => {
      if (current === started) current = undefined;
    });
    return started;
  };
  const session = (): Promise<EmbeddedSession> => current ?? start(Promise.resolve());

  const reopen = (ended: Promise<unknown>): void => {
    start(ended).then(
      () => {
        for (const each of [...subscriptions]) each.onGap?.();
      },
      (error: unknown) => log?.warn({ error }, 'the embedded database did not start again'),
    );
  };

  /** Runs `use` with exclusive use of the session. */
  const exclusively = async <T>(
    use: (session: EmbeddedSession, leave: () => void) => T,
    workClass: WorkClass = workClasses.getStore() ?? 'interactive',
  ): Promise<T> => {
    const arrivedMs = performance.now();
    const leave = await turn.enter(workClass);
    noteWait(performance.now() - arrivedMs);
    try {
      if (closing) throw new DatabaseError('The embedded database is closed', '08003');
      return use(await session(), leave);
    } catch (error) {
      leave();
      throw error;
    }
  };

  /** The question goes to the front of the queue of the one connection; it is not repeated while one waits. */
  const ask = async (deadlineMs: number): Promise<Answer> => {
    asking ??= exclusively<Connection>((opened, leave) => opened.lend(leave), 'control')
      .then(readAnswer)
      .finally(() => {
        asking = undefined;
      });
    return withinMs(asking, deadlineMs, `The embedded database did not answer within ${deadlineMs} ms`);
  };
  let asking: Promise<Answer> | undefined;
  const presence = createPresence({ ask, answers: () => answered, log });

  await session().catch((error: unknown) => {
    throw new StartError(
      `${(error as Error).message} (${folder}). Restore the folder from a backup; if there is none and it holds nothing of ` +
        'worth, move it away to begin anew.',
      { cause: error },
    );
  });
  const connect = (): Promise<Connection> => exclusively((opened, leave) => opened.lend(leave));
  return {
    kind: 'embedded',
    presence,
    metrics: metrics.metrics,
    inClass: (workClass, body) => workClasses.run(workClass, body),
    connect,
    connectDirectly: connect,
    async openCopy() {
      const copy = join(dirname(folder), `${unfinishedPrefix}copy-${process.pid}-${randomBytes(4).toString('hex')}`);
      const remove = (): Promise<void> => rm(copy, { recursive: true, force: true });
      try {
        await mkdir(copy, { mode: 0o700 });
        await exclusively(async (opened, leave) => {
          try {
            // what is copied need not be recovered, and nobody writes while the turn is ours
            await opened.lend(() => undefined).query('checkpoint');
            await copyFolder(folder, join(copy, 'db'));
          } finally {
            leave();
          }
        });
        const engine = await openEmbeddedEngine({ dataDir: copy, statementTimeoutMs: copyStatementMs });
        const close = async (): Promise<void> => {
          try {
            await engine.close();
          } finally {
            await remove();
          }
        };
        return { ...engine, close };
      } catch (error) {
        await remove();
        throw error;
      }
    },
    async listen(channel, onPayload, onGap) {
      const subscription: Subscription = { channel, onPayload, onGap };
      subscriptions.add(subscription);
      await exclusively((opened, leave) => opened.listen(channel).finally(leave));
      return async () => {
        if (!subscriptions.delete(subscription) || closing) return;
        if ([...subscriptions].some((each) => each.channel === channel)) return;
        await exclusively((opened, leave) => opened.unlisten(channel).finally(leave)).catch(() => undefined);
      };
    },
    close() {
      presence.close();
      closing ??= (async () => {
        // Waiting statements are refused; the running one is awaited.
        (await turn.enter('control'))();
        const opened = await current?.catch(() => undefined);
        await opened?.close();
        await onClosed();
      })();
      return closing;
    },
  };
}

async function readAnswer(connection: Connection): Promise<Answer> {
  try {
    return toAnswer((await connection.query(stateStatement)).rows);
  } catch (error) {
    if (error instanceof DatabaseError && error.code === '42P01') return notMigrated;
    throw error;
  } finally {
    connection.release();
  }
}
