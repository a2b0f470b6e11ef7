import { type Encoding, type Row, TableError } from '../table.ts';
import type { CsvRecord } from './csv-reader.ts';
import { isBlank, readHeadings, readRecords, toRow } from './csv-rows.ts';
import { decode, decodeStart, guessEncoding } from './decode.ts';
import { guessDelimiter, refusePacked } from './guess-format.ts';

/** How CSV is written. */
export interface CsvForm {
  readonly encoding: Encoding;
  readonly delimiter: string;
}

/** A row, and the line of the file where it ends. */
export type StreamedRow = Row & { readonly lastLine: number };

/** CSV of which the headings have been read. */
export interface CsvStream {
  readonly form: CsvForm;
  readonly columns: readonly string[];
  /** The line where the headings end. */
  readonly headingLine: number;
  /** What is left, once. @throws TableError for bytes that are none of its encoding */
  readonly rows: AsyncGenerator<readonly StreamedRow[]>;
}

/** What encoding and delimiter are guessed by. */
const startBytes = 65_536;

/**
 * Reads the headings of CSV that arrives once and is never held whole. What is not chosen is guessed by its beginning.
 * @throws TableError
 */
export async function openCsvStream(
  bytes: AsyncIterable<Uint8Array>,
  chosen: Partial<CsvForm> = {},
): Promise<CsvStream> {
  const source = bytes[Symbol.asyncIterator]();
  const { start, isWhole } = await takeStart(source);
  refusePacked(start);
  const encoding = chosen.encoding ?? guessEncoding(start);
  const text = await decodeStart(start, encoding);
  if (text.trim() === '') throw new TableError('The file is empty.');
  const delimiter = chosen.delimiter ?? guessDelimiter(text, isWhole);
  const records = readRecords(decode(joined(start, source), encoding), delimiter);
  const { value: first } = await records.next();
  const [headings, ...rest] = first as readonly CsvRecord[];
  if (!headings) throw new TableError('The file is empty.');
  const columns = readHeadings(headings, []);
  return {
    form: { encoding, delimiter },
    columns,
    headingLine: headings.lastLine,
    rows: toRows(joined(rest, records), columns),
  };
}

/** Reads what follows a line of CSV whose headings came before. @throws TableError */
export function continueCsv(
  bytes: AsyncIterable<Uint8Array>,
  { encoding, delimiter }: CsvForm,
  columns: readonly string[],
  afterLine: number,
): AsyncGenerator<readonly StreamedRow[]> {
  return toRows(readRecords(decode(bytes, encoding), delimiter, afterLine + 1), columns);
}

async function* toRows(
  batches: AsyncIterable<readonly CsvRecord[]>,
  columns: readonly string[],
): AsyncGenerator<readonly StreamedRow[]> {
  for await (const records of batches) {
    const rows = records.filter((record) => !isBlank(record));
    yield rows.map((record) => ({ ...toRow(record, columns), lastLine: record.lastLine }));
  }
}

async function takeStart(source: AsyncIterator<Uint8Array>) {
  const parts: Uint8Array[] = [];
  let size = 0;
  let isWhole = false;
  while (size < startBytes) {
    const next = await source.next();
    if (next.done) {
      isWhole = true;
      break;
    }
    parts.push(next.value);
    size += next.value.length;
  }
  const start = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    start.set(part, at);
    at += part.length;
  }
  return { start, isWhole };
}

/** The first value, then what the source has left. */
async function* joined<Value>(first: Value, source: AsyncIterator<Value>): AsyncGenerator<Value> {
  yield first;
  for (;;) {
    const next = await source.next();
    if (next.done) return;
    yield next.value;
  }
}
