import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { EmbeddedStream } from './embedded-stream.ts';
import { startEmbeddedWorker } from './embedded-thread.ts';
import { type Connection, DatabaseError, type Engine, type EngineLog } from './engine.ts';
import { lockFolder } from './folder-lock.ts';
import { createPgSession, sessionSettings, toDatabaseError } from './pg-session.ts';
import { createStatementNames } from './statement-names.ts';

export interface EmbeddedEngineOptions {
  /** The database is kept in its subfolder `db`; a lock keeps every other process out. */
  readonly dataDir: string;
  readonly log?: EngineLog;
}

/**
 * Opens the database in a data folder, making it first if there is none.
 * @throws FolderInUseError when another process has the folder open
 */
export async function openEmbeddedEngine({ dataDir, log }: EmbeddedEngineOptions): Promise<Engine> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lock = await lockFolder(dataDir);
  try {
    const folder = join(dataDir, 'db');
    await initialise(dataDir, folder);
    return await openFolder(folder, log, () => lock.release());
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/**
 * Made elsewhere and renamed, so that a process killed while it makes the database leaves nothing half done; made in a
 * worker of its own, because making it takes twice the memory of serving it.
 */
async function initialise(dataDir: string, folder: string): Promise<void> {
  const prefix = 'db.new-';
  for (const name of await readdir(dataDir)) {
    if (name.startsWith(prefix)) await rm(join(dataDir, name), { recursive: true, force: true });
  }
  if (existsSync(join(folder, 'PG_VERSION'))) return;
  const fresh = join(dataDir, `${prefix}${process.pid}`);
  const worker = startEmbeddedWorker(fresh, () => undefined);
  await worker.ready;
  await worker.close();
  await rename(fresh, folder);
}

async function openFolder(folder: string, log: EngineLog | undefined, onClosed: () => Promise<void>): Promise<Engine> {
  const stream = new EmbeddedStream({ send: (bytes) => worker.send(bytes) });
  const worker = startEmbeddedWorker(folder, (bytes) => stream.receive(bytes));
  const client = new pg.Client({
    ...sessionSettings,
    user: 'postgres',
    database: 'postgres',
    stream: (() => stream) as unknown as NonNullable<pg.ClientConfig['stream']>,
  });
  let failure: DatabaseError | undefined;
  client.on('error', () => undefined);
  worker.stopped.then((reason) => {
    if (closing) return;
    failure = new DatabaseError(`The embedded database stopped: ${reason}`, '08006');
    log?.warn({ reason }, 'the embedded database stopped');
    stream.destroy(failure);
  });
  let closing: Promise<void> | undefined;

  try {
    await worker.ready;
    await client.connect();
    await client.query(`set time zone 'UTC'`);
  } catch (error) {
    closing = Promise.resolve();
    await worker.close();
    throw toDatabaseError(error);
  }

  const turn = createTurnstile();
  const session = createPgSession(client, createStatementNames());
  const listeners = new Map<string, Set<(payload: string) => void>>();
  client.on('notification', ({ channel, payload = '' }) => {
    for (const onPayload of [...(listeners.get(channel) ?? [])]) onPayload(payload);
  });

  const connect = async (): Promise<Connection> => {
    const leave = await turn.enter();
    if (failure || closing) {
      leave();
      throw failure ?? new DatabaseError('The embedded database is closed', '08003');
    }
    return session.lend((broken) => {
      // There is no other session to take instead; a statement that failed leaves this one usable.
      if (broken) client.query('rollback').then(leave, leave);
      else leave();
    });
  };

  const once = async (statement: string): Promise<void> => {
    const connection = await connect();
    try {
      await connection.script(statement);
    } finally {
      connection.release();
    }
  };

  return {
    kind: 'embedded',
    connect,
    async listen(channel, onPayload) {
      const called = listeners.get(channel) ?? new Set();
      listeners.set(channel, called);
      // A function of its own: the same callback may be handed in twice.
      const subscriber = (payload: string): void => onPayload(payload);
      called.add(subscriber);
      await once(`listen ${pg.escapeIdentifier(channel)}`);
      return async () => {
        called.delete(subscriber);
        if (called.size > 0 || closing || failure) return;
        await once(`unlisten ${pg.escapeIdentifier(channel)}`).catch(() => undefined);
      };
    },
    close() {
      closing ??= (async () => {
        const leave = await turn.enter();
        leave();
        await client.end().catch(() => undefined);
        await worker.close();
        await onClosed();
      })();
      return closing;
    },
  };
}

/** Lets one in at a time, in the order of arrival. */
function createTurnstile(): { enter(): Promise<() => void> } {
  const waiting: (() => void)[] = [];
  let isTaken = false;
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else isTaken = false;
  };
  return {
    async enter() {
      if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve));
      isTaken = true;
      return leave;
    },
  };
}
