import type { Writable } from 'node:stream';
import pg from 'pg';
import { DatabaseError } from './database-error.ts';
import type { Connection, QueryResult } from './engine.ts';
import { passingReason } from './passing-failure.ts';
import type { StatementNames } from './statement-names.ts';
import { checkParameters, valueTypes } from './value-types.ts';

/** A session keeps at most this many prepared statements; then it forgets them all and starts again. */
const preparedMax = 1_000;

/** Client settings of both engines. */
export const sessionSettings = {
  // `begin` travels with the first statement: one round trip less.
  pipeline: true,
  types: valueTypes,
} as const satisfies pg.ClientConfig;

/** Statements over one `pg` client, lent to one borrower at a time. */
export interface PgSession {
  /** `giveBack` runs once, however often the borrower releases. */
  lend(giveBack: (broken: boolean) => void): Connection;
}

export interface PgSessionOptions {
  readonly names: StatementNames;
  /** What is prepared belongs to the pooler between, which alone may forget it. */
  readonly isPooled?: boolean;
  readonly onAnswer?: () => void;
  readonly onFailure?: (error: DatabaseError) => void;
}

export function createPgSession(client: pg.ClientBase, options: PgSessionOptions): PgSession {
  const { names, isPooled = false, onAnswer, onFailure } = options;
  const prepared = new Set<string>();
  let mustForget = false;
  // its server became a standby, and another one takes the writes
  let isReadOnly = false;
  // the commit stands on this server alone: somebody cancelled its wait for a standby
  let isAlone = false;
  client.on('notice', ({ code, routine }) => {
    if (code === '01000' && routine === 'SyncRepWaitForLSN') isAlone = true;
  });

  // the driver declares neither its stream nor its list of prepared statements
  const { connection } = client as unknown as {
    connection: { readonly stream: Writable; parsedStatements: Record<string, string> };
  };
  let isGathering = false;

  /** What is sent in one turn of the event loop travels together: a packet costs as much as a small statement. */
  const gatherWrites = (): void => {
    if (isGathering) return;
    isGathering = true;
    const { stream } = connection;
    stream.cork();
    process.nextTick(() => {
      isGathering = false;
      stream.uncork();
    });
  };

  const ask = (text: string, values: readonly unknown[], name: string | undefined): Promise<pg.QueryResult> =>
    new Promise((resolve, reject) => {
      // a query that the driver does not have to copy
      const query: pg.Query & { name?: string } = new pg.Query(text, values as unknown[], (error, result) => {
        if (error) reject(error);
        else resolve(result as unknown as pg.QueryResult);
      });
      if (name !== undefined) query.name = name;
      gatherWrites();
      client.query(query);
    });

  /** Only between two borrowers: a running statement would re-enter the driver's list. */
  const forgetStatements = async (): Promise<void> => {
    mustForget = false;
    prepared.clear();
    connection.parsedStatements = {};
    await client.query('deallocate all');
  };

  const query = async (text: string, values: readonly unknown[] = []): Promise<QueryResult> => {
    if (values.length > 0) checkParameters(values);
    const name = names.nameOf(text);
    try {
      if (name !== undefined) prepared.add(name);
      if (prepared.size >= preparedMax) mustForget = true;
      const result = await ask(text, values, name);
      onAnswer?.();
      if (isAlone) {
        isAlone = false;
        throw new DatabaseError('The commit did not reach a standby in time, and may be lost', '08007');
      }
      return toResult(result);
    } catch (error) {
      if (isStalePlan(error)) names.renew();
      const failure = toDatabaseError(error);
      if (passingReason(failure) === 'read-only') isReadOnly = true;
      onFailure?.(failure);
      throw failure;
    }
  };

  const script = async (text: string): Promise<void> => {
    gatherWrites();
    try {
      await client.query(text);
    } catch (error) {
      throw toDatabaseError(error);
    }
  };

  return {
    lend(giveBack) {
      let isReleased = false;
      return {
        query,
        script,
        release(broken = false) {
          if (isReleased) return;
          isReleased = true;
          const mustClose = broken || isReadOnly || (mustForget && isPooled);
          if (mustClose || !mustForget) giveBack(mustClose);
          else
            forgetStatements().then(
              () => giveBack(false),
              () => giveBack(true),
            );
        },
      };
    },
  };
}

function toResult(result: pg.QueryResult): QueryResult {
  const { fields, rows, rowCount, command } = result;
  return { fields, rows, rowCount: rowCount ?? 0, command };
}

/** A column changed under a prepared `select *`: sending it again prepares it anew. */
export function isStalePlan(error: unknown): boolean {
  return error instanceof Error && error.message.includes('cached plan must not change result type');
}

/** Maps what the driver throws. Without an SQLSTATE the connection failed. */
export function toDatabaseError(error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof pg.DatabaseError)) return new DatabaseError(message, '08006', undefined, error);
  return new DatabaseError(message, error.code ?? 'XX000', error.constraint, error);
}
