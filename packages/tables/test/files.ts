import { openTable, type Table, type TableFile } from '../src/index.ts';
import type { ReadOptions } from '../src/table.ts';

/** A file in memory that is read in pieces, as a real one is. */
export function makeFile(content: string | Uint8Array, name = 'services.csv', pieceBytes = 7): TableFile {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return {
    name,
    async *open() {
      for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
    },
  };
}

export async function makeTable(content: string, name?: string, options?: Partial<ReadOptions>): Promise<Table> {
  return openTable(makeFile(content, name), options);
}

export async function collect<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const all: Value[] = [];
  for await (const value of values) all.push(value);
  return all;
}
