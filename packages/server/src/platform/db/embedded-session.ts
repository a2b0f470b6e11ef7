import pg from 'pg';
import { DatabaseError } from './database-error.ts';
import { EmbeddedStream } from './embedded-stream.ts';
import { startEmbeddedWorker } from './embedded-thread.ts';
import type { Connection } from './engine.ts';
import { createPgSession, sessionSettings, toDatabaseError } from './pg-session.ts';
import { createStatementNames } from './statement-names.ts';

/** PGlite in its thread with the driver that talks to it, for one life of the thread. */
export interface EmbeddedSession {
  lend(giveBack: () => void): Connection;
  listen(channel: string): Promise<void>;
  unlisten(channel: string): Promise<void>;
  close(): Promise<void>;
}

export interface EmbeddedSessionOptions {
  readonly folder: string;
  /** A longer statement ends the thread, because PGlite cannot cancel one. Scripts have no limit. */
  readonly statementTimeoutMs: number;
  /** Called after every answered statement. */
  onAnswer(): void;
  /** Called for every statement that failed. */
  onFailure(error: DatabaseError): void;
  onNotification(channel: string, payload: string): void;
  /**
   * The session ended without `close`: running statements fail with this error. Another session may open the folder
   * once `ended` resolves.
   */
  onStopped(failure: DatabaseError, ended: Promise<unknown>): void;
}

export async function openEmbeddedSession(options: EmbeddedSessionOptions): Promise<EmbeddedSession> {
  const { statementTimeoutMs } = options;
  const stream = new EmbeddedStream({ send: (bytes) => worker.send(bytes) });
  const worker = startEmbeddedWorker(options.folder, (bytes) => stream.receive(bytes));
  const client = new pg.Client({
    ...sessionSettings,
    user: 'postgres',
    database: 'postgres',
    stream: (() => stream) as unknown as NonNullable<pg.ClientConfig['stream']>,
  });
  // The waiting statement gets the error.
  client.on('error', () => undefined);
  client.on('notification', ({ channel, payload = '' }) => options.onNotification(channel, payload));
  const close = async (): Promise<void> => {
    isClosing = true;
    await client.end().catch(() => undefined);
    await worker.close();
  };
  let isClosing = false;
  let failure: DatabaseError | undefined;
  const fail = (reason: DatabaseError): void => {
    if (failure || isClosing) return;
    failure = reason;
    options.onStopped(failure, worker.stopped);
    stream.destroy(failure);
  };
  try {
    await worker.ready;
    await client.connect();
    await client.query(`set time zone 'UTC'`);
  } catch (error) {
    await close();
    throw toDatabaseError(error);
  }
  void worker.stopped.then((reason) => {
    fail(new DatabaseError(`The embedded database stopped: ${reason}`, '08006'));
  });

  const deadline = createDeadline(statementTimeoutMs, () => {
    fail(new DatabaseError(`A statement ran longer than ${statementTimeoutMs} ms and was cancelled`, '57014'));
    void worker.terminate();
  });
  const session = createPgSession(client, {
    names: createStatementNames(),
    onAnswer: () => options.onAnswer(),
    onFailure: (error) => options.onFailure(error),
  });

  return {
    lend(giveBack) {
      const connection = session.lend((broken) => {
        // There is no other session to use; a failed statement leaves this one usable.
        if (broken && !failure) client.query('rollback').then(giveBack, giveBack);
        else giveBack();
      });
      return {
        ...connection,
        async query(text, values) {
          deadline.begin();
          try {
            return await connection.query(text, values);
          } finally {
            deadline.end();
          }
        },
      };
    },
    listen: async (channel) => {
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    },
    unlisten: async (channel) => {
      await client.query(`unlisten ${pg.escapeIdentifier(channel)}`);
    },
    close,
  };
}

/** Calls `onLate` if no running statement ends for `milliseconds`. */
function createDeadline(milliseconds: number, onLate: () => void): { begin(): void; end(): void } {
  let underWay = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    begin() {
      underWay += 1;
      if (underWay === 1) timer = setTimeout(onLate, milliseconds);
    },
    end() {
      underWay -= 1;
      if (underWay === 0) clearTimeout(timer);
      else timer?.refresh();
    },
  };
}
