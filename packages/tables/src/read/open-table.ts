import { type Cell, columnsMax, type ReadOptions, type Row, type Table, TableError, type TableFile } from '../table.ts';
import { isBlank, readHeadings, readRecords, toRow } from './csv-rows.ts';
import { decode, decodeStart, guessEncoding } from './decode.ts';
import { guessFormat, isZip, refusePacked } from './guess-format.ts';
import { type JsonRecord, readJsonLines, readJsonList } from './read-json.ts';
import { refuseTooMany, takeSample } from './sample-rows.ts';

const startBytes = 1_048_576;

/** Reads the columns and first rows of a file. @throws TableError with a sentence that says what to do */
export async function openTable(file: TableFile, chosen: Partial<ReadOptions> = {}): Promise<Table> {
  const start = await readStart(file);
  if (isZip(start) && file.blob) {
    // few tables are workbooks, and reading them takes a lot of code
    const { openWorkbook } = await import('./xlsx/open-workbook.ts');
    return openWorkbook(await file.blob(), chosen.sheet);
  }
  refusePacked(start);
  const encoding = chosen.encoding ?? guessEncoding(start);
  const text = await decodeStart(start, encoding);
  if (text.trim() === '') throw new TableError('The file is empty.');
  const guessed = guessFormat(file.name, text, start.length < startBytes);
  const format = chosen.format ?? guessed.format;
  const options: ReadOptions = {
    format,
    encoding,
    delimiter: chosen.delimiter ?? guessed.delimiter,
    path: chosen.path ?? guessed.path,
  };
  const whole = () => decode(file.open(), encoding);
  return format === 'csv' ? openCsv(whole, options) : openJson(whole, options);
}

async function readStart(file: TableFile): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of file.open()) {
    parts.push(part);
    size += part.length;
    if (size >= startBytes) break;
  }
  const start = new Uint8Array(Math.min(size, startBytes));
  let at = 0;
  for (const part of parts) {
    start.set(part.subarray(0, start.length - at), at);
    at += part.length;
  }
  return start;
}

async function openCsv(open: () => AsyncIterable<string>, options: ReadOptions): Promise<Table> {
  const notes: string[] = [];
  let columns: readonly string[] = [];
  async function* rows(): AsyncGenerator<Row> {
    let isHeading = true;
    for await (const records of readRecords(open(), options.delimiter)) {
      for (const record of records) {
        if (isHeading) {
          const headings = readHeadings(record, columns.length > 0 ? [] : notes);
          columns = columns.length > 0 ? columns : headings;
          isHeading = false;
        } else if (!isBlank(record)) yield toRow(record, columns);
      }
    }
  }
  const { sample, isWhole } = await takeSample(rows());
  if (sample.length === 0) throw new TableError('The file has headings and no rows.');
  return { options, columns, sample, isWhole, notes, rows };
}

async function openJson(open: () => AsyncIterable<string>, options: ReadOptions): Promise<Table> {
  const notes: string[] = [];
  const records = (): AsyncGenerator<JsonRecord> =>
    options.format === 'json' ? readJsonList(open(), options.path) : readJsonLines(open());
  const { sample: first, isWhole } = await takeSample(records());
  if (first.length === 0) throw new TableError('The list is empty.');
  const columns = [...new Set(first.flatMap((record) => ('value' in record ? Object.keys(record.value) : [])))];
  refuseTooMany(columns.length);
  const known = new Set(columns);
  const toJsonRow = (record: JsonRecord): Row => {
    if ('problem' in record) return { row: record.row, cells: [], problem: record.problem };
    for (const heading of Object.keys(record.value)) {
      if (known.has(heading) || known.size >= columnsMax) continue;
      known.add(heading);
      notes.push(
        `"${heading}" first occurs in element ${record.row}, after the rows that the columns are taken from; it is left out.`,
      );
    }
    return { row: record.row, cells: columns.map((heading) => ownCell(record.value, heading)) };
  };
  async function* rows(): AsyncGenerator<Row> {
    for await (const record of records()) yield toJsonRow(record);
  }
  return { options, columns, sample: first.map(toJsonRow), isWhole, notes, rows };
}

function ownCell(value: Readonly<Record<string, Cell>>, heading: string): Cell | undefined {
  return Object.hasOwn(value, heading) ? value[heading] : undefined;
}
