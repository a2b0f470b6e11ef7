import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Sql } from 'sql-template-tag';
import { DatabaseError, UnknownOutcomeError } from './database-error.ts';
import type { Connection, Engine, QueryResult } from './engine.ts';
import { isAway } from './passing-failure.ts';
import { isStalePlan } from './pg-session.ts';
import type { Fields, RowOfFields, RowSql } from './row.ts';
import { createTogether, type Together } from './spare-reads.ts';
import type { PrimaryReason } from './standby-metrics.ts';

/** The database outside a transaction, or a transaction. */
export interface Reader {
  /** All rows. Their type follows from the statement, whose fields tests on both engines compare with the result. */
  rows<Shape extends Fields>(statement: RowSql<Shape>): Promise<RowOfFields<Shape>[]>;
  /** Nothing compares these rows with the type: give the statement a shape instead (`row.ts`). */
  rows<Unchecked>(statement: Sql): Promise<Unchecked[]>;
  first<Shape extends Fields>(statement: RowSql<Shape>): Promise<RowOfFields<Shape> | undefined>;
  first<Unchecked>(statement: Sql): Promise<Unchecked | undefined>;
  /** What the request under way reads from now on must be as it is now; absent where it is anyhow. */
  readonly leaveStandby?: ((reason: PrimaryReason) => void) | undefined;
}

declare const writable: unique symbol;

/** An open transaction: the only handle that can write. */
export interface Tx extends Reader {
  readonly [writable]: true;
  /** Runs a write and returns how many rows it changed. */
  execute(statement: Sql): Promise<number>;
  /**
   * Sends a write without waiting for its answer; the next statement travels behind it. If it fails, so does the
   * transaction.
   */
  send(statement: Sql): void;
  /**
   * Calls `action` once the transaction is committed, not when it is rolled back or repeated. Only for hints such as
   * waking a worker: when the process dies in between, it is never called. It must not throw.
   */
  afterCommit(action: () => void): void;
}

export interface DatabaseOptions {
  /**
   * Refuse to read through the root handle inside an open transaction of the same call chain. Always on for the
   * embedded engine, where such a read would wait for itself; on PostgreSQL in tests only, since following call chains
   * costs about a fifth of a point read's CPU there (bench/RESULTS.md).
   */
  readonly guardsReads?: boolean;
  /** Compares a result with the fields of its statement, and throws if they differ. Tests only. */
  readonly checkRows?: (statement: RowSql<Fields>, result: QueryResult) => void;
}

/**
 * The database as modules see it. Reading through it inside an open transaction of the same call chain throws, on both
 * engines: on the embedded one it would wait for itself for ever (one connection).
 */
export interface Database extends Reader {
  readonly engine: Engine;
  /**
   * Reads that may be answered by a standby, if the operation of the request under way is marked so and the standby has
   * seen what the caller has; otherwise the same as the handle. Never for rights, and never for what is written next.
   */
  readonly standby: Reader;
  /** Runs reads of one caller, several at once as far as that takes no connections from others. */
  readonly together: Together;
  /**
   * Runs `body` in one transaction and commits, or rolls back if it throws. Serialisation failures and deadlocks
   * (40001, 40P01) repeat the body up to ten times, and a connection lost before the commit twice, so it must be
   * repeatable and do nothing slow.
   * @throws UnknownOutcomeError when the connection was lost during the commit, or the commit reached no standby that
   *   has to have it
   */
  transaction<T>(body: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Runs one write that is a transaction by itself, without the two statements around it. Returns the rows changed. */
  executeAlone(statement: Sql): Promise<number>;
  close(): Promise<void>;
}

export interface TransactionOptions {
  /** Awaited after each answer that the body waits for. Not on the embedded engine, whose only connection is taken. */
  readonly between?: (() => Promise<void>) | undefined;
  /** False for a commit that does not wait for the disk: a crash of the server may undo it, whole. */
  readonly isDurable?: boolean;
}

/** Connections of the pool, ten unless set, that reads which are several at once may take beside one each. */
const spareReads = 3;
const repeatsMax = 10;
/** How often a transaction is repeated because its connection was lost before the commit. */
const lostMax = 2;
/** SQLSTATE of every statement after the one that failed. */
const afterFailure = '25P02';
const pauseMsMax = 500;

/** Wraps an engine. See docs/decisions for why statements are written as SQL. */
export function createDatabase(engine: Engine, options: DatabaseOptions = {}): Database {
  const isGuarded = options.guardsReads ?? engine.kind === 'embedded';
  const openTransaction: OpenTransaction | undefined = isGuarded ? new AsyncLocalStorage() : undefined;

  const refuseInside = (what: string): void => {
    if (!openTransaction?.getStore()?.isOpen) return;
    throw new Error(`${what} inside an open transaction: use the \`tx\` that the transaction was given`);
  };

  const run = async (statement: Sql, what: string, attempt = 1): Promise<QueryResult> => {
    refuseInside(what);
    const { text, values } = statement;
    const isWrite = writes.test(text);
    const connection = await engine.connect(isWrite ? 'writes' : 'reads');
    let isBroken = false;
    let noted: Promise<void> | undefined;
    try {
      const asked = connection.query(text, values);
      noted = engine.standbys?.note(connection, isWrite);
      return await asked;
    } catch (error) {
      const isLost = isAway(error);
      isBroken = isLost;
      // only reads may be sent twice, and only once more
      if (!(isStalePlan(error) || (isLost && attempt === 1 && isRead(text)))) {
        throw isLost && isWrite ? new UnknownOutcomeError(error) : error;
      }
      if (isLost) await engine.presence.doubt(error);
    } finally {
      if (noted) await noted;
      connection.release(isBroken);
    }
    return run(statement, what, attempt + 1);
  };
  const read = (statement: Sql): Promise<QueryResult> => run(statement, 'A read through the database handle');
  const readNear = async (statement: Sql): Promise<QueryResult> => {
    refuseInside('A read through the database handle');
    return (await engine.standbys?.ask(statement.text, statement.values)) ?? read(statement);
  };
  const reader = createReader(read, options.checkRows);
  return {
    engine,
    ...reader,
    leaveStandby: engine.standbys?.leave,
    standby: engine.standbys ? createReader(readNear, options.checkRows) : reader,
    together: createTogether(spareReads),
    executeAlone: async (statement) => (await run(statement, 'A write through the database handle')).rowCount,
    async transaction(body, { between, isDurable = true } = {}) {
      const pause = engine.kind === 'embedded' ? undefined : between;
      refuseInside('A second transaction');
      let lost = 0;
      for (let attempt = 1; ; attempt += 1) {
        const outcome = await runTransaction(engine, options.checkRows, openTransaction, body, {
          between: pause,
          isDurable,
        });
        if (outcome.isCommitted) {
          for (const action of outcome.afterCommit) action();
          return outcome.value;
        }
        if (isAway(outcome.error)) {
          await engine.presence.doubt(outcome.error);
          lost += 1;
        }
        if (!outcome.canRepeat || attempt > repeatsMax || lost > lostMax) throw outcome.error;
        await delay(Math.random() * Math.min(pauseMsMax, 10 * 2 ** attempt));
      }
    },
    close: () => engine.close(),
  };
}

const beginUndurable = 'begin; set local synchronous_commit = off';

type OpenTransaction = AsyncLocalStorage<{ readonly isOpen: boolean }>;

type Outcome<T> =
  | { readonly isCommitted: true; readonly value: T; readonly afterCommit: readonly (() => void)[] }
  | { readonly isCommitted: false; readonly error: unknown; readonly canRepeat: boolean };

/** Rows are handed on as the driver made them; only `checkRows` looks at what the statement says of them. */
function createReader(ask: (statement: Sql) => Promise<QueryResult>, checkRows: DatabaseOptions['checkRows']): Reader {
  const rows = async (statement: Sql) => {
    const result = await ask(statement);
    if (checkRows && 'fields' in statement) checkRows(statement as RowSql<Fields>, result);
    return result.rows;
  };
  const first = async (statement: Sql) => (await rows(statement))[0];
  return { rows, first } as Reader;
}

async function runTransaction<T>(
  engine: Engine,
  checkRows: DatabaseOptions['checkRows'],
  openTransaction: OpenTransaction | undefined,
  body: (tx: Tx) => Promise<T>,
  { between, isDurable }: TransactionOptions,
): Promise<Outcome<T>> {
  const connection = await engine.connect('writes');
  const transaction = createTx(connection, checkRows, between);
  let isBroken = false;
  let isCommitting = false;
  try {
    // Not awaited: it travels with the first statement, which fails if it does.
    const begun = isDurable ? connection.query('begin') : connection.script(beginUndurable);
    begun.catch(() => undefined);
    const run = (): Promise<T> => body(transaction.tx);
    const value = await (openTransaction ? openTransaction.run(transaction.scope, run) : run());
    await begun;
    transaction.scope.isOpen = false;
    isCommitting = true;
    const ended = connection.query('commit');
    const noted = engine.standbys?.note(connection, true);
    const end = await ended;
    await noted;
    if (end.command !== 'COMMIT') {
      throw transaction.failure() ?? new Error('The transaction was rolled back by the server');
    }
    return { isCommitted: true, value, afterCommit: transaction.afterCommit };
  } catch (error) {
    transaction.scope.isOpen = false;
    const failure = transaction.failure() ?? error;
    const isEcho = error instanceof DatabaseError && error.code === afterFailure;
    await connection.query('rollback').catch(() => {
      isBroken = true;
    });
    // the body may throw a serialization failure of its own to be repeated
    const told = isEcho ? failure : error;
    if (isCommitting && isAway(told)) {
      return { isCommitted: false, error: new UnknownOutcomeError(told), canRepeat: false };
    }
    return {
      isCommitted: false,
      error: told,
      canRepeat: isRepeatable(failure) || isRepeatable(error) || isAway(failure) || isAway(error),
    };
  } finally {
    connection.release(isBroken);
  }
}

function createTx(
  connection: Connection,
  checkRows: DatabaseOptions['checkRows'],
  between: (() => Promise<void>) | undefined,
): {
  readonly tx: Tx;
  readonly scope: { isOpen: boolean };
  readonly afterCommit: readonly (() => void)[];
  /** The first statement that failed, even if the body caught its error. */
  failure(): unknown;
} {
  const scope = { isOpen: true };
  const afterCommit: (() => void)[] = [];
  let failure: unknown;

  const run = async (statement: Sql) => {
    if (!scope.isOpen) throw new Error('A statement was sent through a transaction that has ended');
    try {
      return await connection.query(statement.text, statement.values);
    } catch (error) {
      failure ??= error;
      throw error;
    }
  };

  const ask = between
    ? async (statement: Sql) => {
        const answer = await run(statement);
        await between();
        return answer;
      }
    : run;

  const tx = {
    ...createReader(ask, checkRows),
    execute: async (statement: Sql) => (await ask(statement)).rowCount,
    send: (statement: Sql) => void run(statement).catch(() => undefined),
    afterCommit: (action: () => void) => {
      afterCommit.push(action);
    },
  };
  return { tx: tx as Tx, scope, afterCommit, failure: () => failure };
}

/** Statements that may have to wait for their commit. */
const writes = /\b(insert|update|delete|merge)\b/i;

/** Whether a statement only reads. Locking reads and functions that change something are never sent again. */
function isRead(text: string): boolean {
  return /^\s*select\b/i.test(text) && !/\b(for update|for share|for no key|for key|pg_\w+|nextval)\b/i.test(text);
}

function isRepeatable(error: unknown): boolean {
  return error instanceof DatabaseError && (['40001', '40P01'].includes(error.code) || isStalePlan(error));
}
