import { type Row, TableError } from '../table.ts';
import { type CsvRecord, createCsvReader } from './csv-reader.ts';
import { nameColumns } from './sample-rows.ts';

/** The records of a text, as many at a time as each piece of it completes. */
export async function* readRecords(
  text: AsyncIterable<string>,
  delimiter: string,
  firstLine = 1,
): AsyncGenerator<readonly CsvRecord[]> {
  const reader = createCsvReader(delimiter, firstLine);
  for await (const part of text) {
    const records = reader.push(part);
    if (records.length > 0) yield records;
  }
  const last = reader.end();
  if (last.length > 0) yield last;
}

/** The names of the columns, from the record with the headings. @throws TableError */
export function readHeadings({ cells, problem }: CsvRecord, notes: string[]): readonly string[] {
  if (problem) throw new TableError(`The headings cannot be read. ${problem.message}`);
  return nameColumns(cells, notes);
}

/** Spreadsheets write rows of delimiters alone below the last one that is filled. */
export function isBlank({ cells, problem }: CsvRecord): boolean {
  return !problem && cells.every((cell) => cell.trim() === '');
}

export function toRow({ line, cells, problem }: CsvRecord, columns: readonly string[]): Row {
  if (problem) {
    const column = columns[problem.cell];
    return { row: line, cells, problem: { message: problem.message, ...(column ? { column } : {}) } };
  }
  const extra = cells.slice(columns.length).some((cell) => cell.trim() !== '');
  if (!extra) return { row: line, cells: cells.slice(0, columns.length) };
  const message = `The row has ${cells.length} cells and the table ${columns.length} columns. Quote cells that hold the delimiter.`;
  return { row: line, cells, problem: { message } };
}
