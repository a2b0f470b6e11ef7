import pg from 'pg';
import { EmbeddedStream } from './embedded-stream.ts';
import { startEmbeddedWorker } from './embedded-thread.ts';
import { type Connection, DatabaseError } from './engine.ts';
import { createPgSession, sessionSettings, toDatabaseError } from './pg-session.ts';
import { createStatementNames } from './statement-names.ts';

/** PGlite in its thread and the driver that talks to it, from one start of the thread to its end. */
export interface EmbeddedSession {
  lend(giveBack: () => void): Connection;
  listen(channel: string): Promise<void>;
  unlisten(channel: string): Promise<void>;
  close(): Promise<void>;
}

export interface EmbeddedSessionOptions {
  readonly folder: string;
  /** A statement that runs longer ends the thread: PGlite cannot cancel it. Scripts may take as long as they need. */
  readonly statementTimeoutMs: number;
  /** Told of every answered statement. */
  onAnswer(): void;
  onNotification(channel: string, payload: string): void;
  /**
   * The session came to an end without `close`: what was under way fails with this error. The folder is free for
   * another session when `ended` resolves.
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
  // Whoever waits for a statement is told there.
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
  const session = createPgSession(client, createStatementNames(), options.onAnswer);

  return {
    lend(giveBack) {
      const connection = session.lend((broken) => {
        // There is no other session to take instead; a statement that failed leaves this one usable.
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

/** Calls `onLate` when nothing that has begun has ended for `milliseconds`. */
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
