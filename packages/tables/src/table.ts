/** A value of a table: a text in CSV, any JSON in JSON. */
export type Cell = string | number | boolean | null | readonly Cell[] | { readonly [key: string]: Cell };

/** Something about one row that a person has to look at; the row is left out. */
export interface RowProblem {
  /** The line of the file where the row begins; in a JSON list the number of its element. */
  readonly row: number;
  /** The heading of the column, where one is to blame. */
  readonly column?: string;
  readonly message: string;
}

/** A row with its cells in the order of the columns, or what is wrong with it. */
export interface Row {
  readonly row: number;
  /** Absent cells, as short rows have them, are undefined. */
  readonly cells: readonly (Cell | undefined)[];
  readonly problem?: Omit<RowProblem, 'row'>;
}

export const tableFormats = ['csv', 'json', 'ndjson', 'xlsx'] as const;
export type TableFormat = (typeof tableFormats)[number];
export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type Encoding = (typeof encodings)[number];

/** How a file is read. What a person does not choose is guessed. */
export interface ReadOptions {
  readonly format: TableFormat;
  readonly encoding: Encoding;
  /** Only of CSV. */
  readonly delimiter: string;
  /** Only of JSON: the keys that lead to the list; empty for a list at the top. */
  readonly path: readonly string[];
  /** Only of a workbook: the name of the sheet. */
  readonly sheet?: string;
}

/** A file that cannot be read as a table at all. The message says what to do. */
export class TableError extends Error {
  override readonly name = 'TableError';
}

export const cellCharactersMax = 1_048_576;
/** Of a row: what holds more is no row of a table, and would fill the memory. */
export const recordCharactersMax = 4 * cellCharactersMax;
export const columnsMax = 500;
/** Cells that are kept of a row; more than the columns, so that a row with too many can be told. */
export const cellsMax = 2 * columnsMax;

/** A file, or what was pasted. It is read several times: for the columns, the plan, the import and the refused rows. */
export interface TableFile {
  readonly name: string;
  open(): AsyncIterable<Uint8Array>;
  /** The same with access to any part of it, which workbooks need. */
  blob?(): Promise<Blob>;
}

export interface Table {
  readonly options: ReadOptions;
  readonly columns: readonly string[];
  /** Of a workbook: the sheets that may be chosen. */
  readonly sheets?: readonly string[];
  /** The first rows, at most 1,000. */
  readonly sample: readonly Row[];
  /** Whether `sample` is all there is. */
  readonly isWhole: boolean;
  /** What a person should know of the columns. Reading the rows may add to it. */
  readonly notes: readonly string[];
  /** Reads the file from its start, in the memory of one piece of it. @throws TableError */
  rows(): AsyncGenerator<Row>;
}
