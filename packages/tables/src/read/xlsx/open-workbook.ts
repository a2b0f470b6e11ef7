import { ArchiveError, openArchive } from '@portolan/archives';
import { type Cell, type Row, type Table, TableError } from '../../table.ts';
import { nameColumns, takeSample } from '../sample-rows.ts';
import { readMerged, readSheet, type SheetRow } from './read-sheet.ts';
import { readWorkbook } from './read-workbook.ts';

const mebibyte = 1024 * 1024;
const limits = { packedBytesMax: 50 * mebibyte, unpackedBytesMax: 1024 * mebibyte, filesMax: 10_000 };

/** The table on a sheet, the first one with rows unless one is chosen. Its first row holds the headings. @throws TableError */
export async function openWorkbook(blob: Blob, chosen: string | undefined): Promise<Table> {
  const files = async () => (await openArchive(blob, limits)).files;
  const workbook = await explained(async () => readWorkbook(await files()));
  const sheets = workbook.sheets.map(({ name }) => name);
  if (sheets.length === 0) throw new TableError('The workbook has no sheet with cells.');
  if (chosen !== undefined && !sheets.includes(chosen)) {
    throw new TableError(`The workbook has no sheet "${chosen}". It has ${sheets.join(', ')}.`);
  }
  for (const { name, file } of workbook.sheets) {
    if (chosen !== undefined && name !== chosen) continue;
    const merged = await readMerged(file);
    // what is unpacked is counted anew in each pass
    const read = async function* (): AsyncGenerator<SheetRow> {
      const here = (await explained(files)).find(({ path }) => path === file.path);
      if (here) yield* readSheet(here, workbook, merged);
    };
    const notes: string[] = [];
    let columns: readonly string[] | undefined;
    const rows = async function* (): AsyncGenerator<Row> {
      let isHeading = true;
      for await (const row of read()) {
        if (isHeading) columns ??= nameColumns(row.cells.map(headingText), notes);
        else yield toRow(row, columns ?? []);
        isHeading = false;
      }
    };
    const { sample, isWhole } = await takeSample(rows());
    if (sample.length === 0 && (chosen === undefined || columns === undefined)) continue;
    if (sample.length === 0) throw new TableError(`The sheet "${name}" has headings and no rows.`);
    const options = { format: 'xlsx', encoding: 'utf-8', delimiter: ',', path: [], sheet: name } as const;
    return { options, columns: columns ?? [], sheets, sample, isWhole, notes, rows };
  }
  throw new TableError(
    chosen === undefined ? 'The workbook has no sheet with headings and rows.' : `The sheet "${chosen}" is empty.`,
  );
}

function headingText(cell: Cell | undefined): string {
  return cell === undefined || cell === null ? '' : String(cell);
}

function toRow({ row, cells, failed }: SheetRow, columns: readonly string[]): Row {
  if (failed) {
    const column = columns[failed.cell];
    return { row, cells, problem: { message: failed.message, ...(column === undefined ? {} : { column }) } };
  }
  const isFilled = (cell: Cell | undefined) => cell !== undefined && String(cell).trim() !== '';
  if (!cells.slice(columns.length).some(isFilled)) return { row, cells: cells.slice(0, columns.length) };
  const message = `The row has cells beyond the ${columns.length} headings. Give each column a heading.`;
  return { row, cells, problem: { message } };
}

/** @throws TableError */
async function explained<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ArchiveError ? new TableError(error.message) : error;
  }
}
