import { type Cell, cellCharactersMax, type Row, TableError } from '../table.ts';
import { createJsonListReader } from './json-list-reader.ts';

/** An object of a JSON document with its number, or what is wrong with it. */
export type JsonRecord =
  | { readonly row: number; readonly value: Readonly<Record<string, Cell>> }
  | { readonly row: number; readonly problem: NonNullable<Row['problem']> };

const tooLong = 'It holds more than 1 MB.';

/** @throws TableError if there is no list at the path, or the document ends inside it */
export async function* readJsonList(text: AsyncIterable<string>, path: readonly string[]): AsyncGenerator<JsonRecord> {
  const reader = createJsonListReader(path);
  let row = 0;
  for await (const part of text) {
    for (const element of reader.push(part)) yield readRecord(++row, element);
    if (reader.list === 'closed') return;
  }
  if (reader.list === 'open') {
    throw new TableError(`The file ends inside the list, after element ${row}. It may have been cut off.`);
  }
  const place = path.length > 0 ? `at "${path.join('.')}"` : 'at the top';
  throw new TableError(`The file has no list ${place}. Name the keys that lead to it, such as data.items.`);
}

export async function* readJsonLines(text: AsyncIterable<string>): AsyncGenerator<JsonRecord> {
  let line = 0;
  let rest: string | undefined = '';
  for await (const part of text) {
    const lines = part.split('\n');
    for (const [index, piece] of lines.entries()) {
      rest = rest === undefined || rest.length + piece.length > cellCharactersMax ? undefined : rest + piece;
      if (index === lines.length - 1) continue;
      line++;
      if (rest?.trim() !== '') yield readRecord(line, rest);
      rest = '';
    }
  }
  if (rest?.trim() !== '') yield readRecord(line + 1, rest);
}

function readRecord(row: number, text: string | undefined): JsonRecord {
  if (text === undefined) return { row, problem: { message: tooLong } };
  let value: Cell;
  try {
    value = JSON.parse(text) as Cell;
  } catch (error) {
    return { row, problem: { message: `It is no JSON: ${(error as Error).message}` } };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { row, problem: { message: 'It is no object, so it has no columns.' } };
  }
  return { row, value: value as Readonly<Record<string, Cell>> };
}
