import { type ReadOptions, TableError, type TableFormat } from '../table.ts';
import { createCsvReader } from './csv-reader.ts';
import { createJsonListReader } from './json-list-reader.ts';

const delimiters = [',', ';', '\t', '|'];
const recordsLookedAt = 50;

/** Whether a file is a zip, as workbooks are. */
export function isZip(start: Uint8Array): boolean {
  return start[0] === 0x50 && start[1] === 0x4b && (start[2] === 3 || start[2] === 5);
}

/** @throws TableError for files that are packed, or workbooks of before 2007 */
export function refusePacked(start: Uint8Array): void {
  if (isZip(start)) {
    throw new TableError('This is a zip file. Unpack it, and choose the file with the table.');
  }
  if (start[0] === 0xd0 && start[1] === 0xcf && start[2] === 0x11 && start[3] === 0xe0) {
    throw new TableError('This is a workbook of an old Excel, or one with a password. Save it as .xlsx without one.');
  }
  if (start[0] === 0x1f && start[1] === 0x8b) throw new TableError('The file is packed with gzip. Unpack it first.');
}

/** Guesses format, delimiter and path by the name of the file and the first megabyte of its text. */
export function guessFormat(name: string, start: string, isWhole: boolean): Omit<ReadOptions, 'encoding'> {
  const extension = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  const format = guessKind(extension, start);
  return {
    format,
    delimiter: format === 'csv' ? delimiterOf(extension, start, isWhole) : ',',
    path: format === 'json' ? guessPath(start) : [],
  };
}

function guessKind(extension: string, start: string): TableFormat {
  if (extension === 'csv' || extension === 'tsv') return 'csv';
  if (extension === 'ndjson' || extension === 'jsonl') return 'ndjson';
  const text = start.trimStart();
  if (text.startsWith('[')) return 'json';
  if (!text.startsWith('{')) return extension === 'json' ? 'json' : 'csv';
  return isJson(text.split('\n', 1)[0] ?? '') && text.trimEnd().includes('\n') ? 'ndjson' : guessObject(text);
}

/** One object in one line: rows of its own, unless there is a list in it. */
function guessObject(text: string): TableFormat {
  const reader = createJsonListReader(['']);
  reader.push(text);
  return reader.firstListPath || !isJson(text) ? 'json' : 'ndjson';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function guessPath(start: string): readonly string[] {
  const reader = createJsonListReader(['']);
  reader.push(start);
  return reader.firstListPath ?? [];
}

function delimiterOf(extension: string, start: string, isWhole: boolean): string {
  return extension === 'tsv' ? '\t' : guessDelimiter(start, isWhole);
}

/** The delimiter that gives the most records as many cells as the first has. */
export function guessDelimiter(start: string, isWhole: boolean): string {
  const scores = delimiters.map((delimiter) => scoreOf(delimiter, start, isWhole));
  const best = Math.max(...scores);
  return best > 0 ? (delimiters[scores.indexOf(best)] as string) : ',';
}

function scoreOf(delimiter: string, start: string, isWhole: boolean): number {
  const reader = createCsvReader(delimiter);
  const records = [...reader.push(start), ...(isWhole ? reader.end() : [])].slice(0, recordsLookedAt);
  const width = records[0]?.cells.length ?? 0;
  if (width < 2) return 0;
  const even = records.filter(({ cells, problem }) => cells.length === width && !problem).length;
  return (even / records.length) * 1000 + width;
}
