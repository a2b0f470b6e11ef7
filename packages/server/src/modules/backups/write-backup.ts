import { createHash } from 'node:crypto';
import type { Connection } from '../../platform/db/engine.ts';
import { type BackupHeader, writeHeader } from './backup-format.ts';
import { closeRows, fetchRows, listSequences, listTables, openRows, type Table } from './tables.store.ts';

/** How many rows are read at once: as many as make up about this many bytes. */
const steps = [20, 200, 1_000] as const;
const bytesWanted = 1_000_000;

/** The lines of a backup of what the connection's transaction sees, some of them at a time. */
export async function* writeBackup(connection: Connection, header: BackupHeader): AsyncGenerator<string> {
  yield writeHeader(header);
  const whole = createHash('sha256');
  const tables = await listTables(connection);
  for (const [index, table] of tables.entries()) {
    for await (const text of writeTable(connection, table, `backup_rows_${index}`)) {
      whole.update(text);
      yield text;
    }
  }
  // read last: it counts on while others write, and must not be behind any row
  const sequences = `${JSON.stringify({ sequences: await listSequences(connection) })}\n`;
  whole.update(sequences);
  yield sequences;
  yield `${JSON.stringify({ end: true, tables: tables.length, sha256: whole.digest('hex') })}\n`;
}

async function* writeTable(connection: Connection, table: Table, cursor: string): AsyncGenerator<string> {
  const columns = table.columns.map(({ name }) => name);
  yield `${JSON.stringify({ table: table.name, columns })}\n`;
  const hash = createHash('sha256');
  let count = 0;
  await openRows(connection, cursor, table);
  for (let step: number = steps[0]; ; ) {
    const rows = await fetchRows(connection, cursor, step);
    const text = rows.map((row) => `${JSON.stringify(columns.map((name) => row[name]))}\n`).join('');
    if (text !== '') {
      hash.update(text);
      yield text;
    }
    count += rows.length;
    if (rows.length < step) break;
    const fitting = (bytesWanted * rows.length) / text.length;
    step = steps.findLast((each) => each <= fitting) ?? steps[0];
  }
  await closeRows(connection, cursor);
  yield `${JSON.stringify({ table: table.name, rows: count, sha256: hash.digest('hex') })}\n`;
}
