import { DatabaseError } from '../../platform/db/database-error.ts';
import type { Connection } from '../../platform/db/engine.ts';
import type { BackupError } from './backup-format.ts';
import { insertRows } from './restore.store.ts';
import type { Table } from './tables.store.ts';

export interface RowBatch {
  readonly rows: readonly string[];
  /** Of the first row. */
  readonly line: number;
}

/** What is said of a line that cannot be used; it ends with what became of the rest. */
export type RefuseLine = (line: number, table: string, why: string) => BackupError;

/** Writes a batch; if the database refuses it, finds the row that it refuses. @throws BackupError naming its line */
export async function writeRows(
  connection: Connection,
  table: Table,
  { rows, line }: RowBatch,
  refuse: RefuseLine,
): Promise<number> {
  await connection.script('savepoint batch');
  try {
    const written = await insertRows(connection, table, rows);
    await connection.script('release savepoint batch');
    return written;
  } catch (error) {
    if (!isAboutRows(error)) throw error;
    await connection.script('rollback to savepoint batch');
  }
  let written = 0;
  for (const [index, row] of rows.entries()) {
    try {
      written += await insertRows(connection, table, [row]);
    } catch (error) {
      if (!isAboutRows(error)) throw error;
      throw refuse(line + index, table.name, reasons[error.code] ?? `the database refuses the row (${error.code})`);
    }
  }
  return written;
}

/** Data exceptions, violated constraints and exceeded limits; all else is no fault of a row. */
function isAboutRows(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && /^(22|23|54)/.test(error.code);
}

const reasons: Readonly<Record<string, string>> = {
  '22P02': 'a value is not of the type of its column',
  '22007': 'a value is not of the type of its column',
  '22P05': 'a text has the character U+0000, which the database does not take',
  '22003': 'a number is too large for its column',
  '23502': 'a value is missing',
  '23503': 'it names a row that is not in the file',
  '23505': 'there is such a row already',
  '23514': 'a value is none that the column takes',
  '54000': 'a value is too large',
  '54001': 'a value is nested too deeply',
};
