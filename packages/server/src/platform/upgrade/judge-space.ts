import { formatBytes } from '../format-bytes.ts';
import type { TableWrite } from './table-writes.ts';

/** Sizes of one table. */
export interface TableSize {
  readonly table: string;
  readonly rowsBytes: number;
  readonly indexBytes: number;
}

/** What migrations take of the disk, at most; `null` is what cannot be known. */
export interface Space {
  readonly databaseBytes: number;
  /** Of rewritten indexes and rows; the log takes as much again. */
  readonly writtenBytes: number | null;
  readonly tables: readonly string[];
  /** What the operator said is free, or the disk of the data folder does. */
  readonly freeBytes: number | null;
}

/**
 * What is written may be as large as what is there: an index as its table, and rows with their indexes. `sizes` is
 * undefined where the tables lie on other servers.
 */
export function measureSpace(
  writes: readonly TableWrite[],
  sizes: readonly TableSize[] | undefined,
  { databaseBytes, freeBytes }: Pick<Space, 'databaseBytes' | 'freeBytes'>,
): Space {
  const written = writes.flatMap(({ table, what }) => {
    const size = sizes?.find((each) => each.table === table);
    return size ? [{ table, bytes: size.rowsBytes + (what === 'rows' ? size.indexBytes : 0) }] : [];
  });
  const tables = [...new Set((sizes ? written : writes).map(({ table }) => table))];
  const bytes = written.reduce((sum, each) => sum + each.bytes, 0);
  return { databaseBytes, writtenBytes: sizes || writes.length === 0 ? bytes : null, tables, freeBytes };
}

/** A sentence where the disk may be too small; none where nobody said how large it is. */
export function judgeSpace({ writtenBytes, tables, freeBytes }: Space): string | undefined {
  if (writtenBytes === null || freeBytes === null || 2 * writtenBytes <= freeBytes) return undefined;
  return `The migrations rewrite up to ${formatBytes(writtenBytes)} of ${tables.join(', ')}, and write as much to the log: more than the ${formatBytes(freeBytes)} that are free. Make room first.`;
}

/** The same as lines of the plan. */
export function spaceText({ databaseBytes, writtenBytes, tables, freeBytes }: Space): readonly string[] {
  const free =
    freeBytes === null
      ? 'PostgreSQL does not say what is free on its disk: --free 50GB does, and is compared'
      : `${formatBytes(freeBytes)} are free`;
  if (tables.length === 0) return ['no table that exists is rewritten'];
  const of = tables.join(', ');
  if (writtenBytes === null) return [`${of}: on several nodes, so what is written there is not known`];
  return [
    `up to ${formatBytes(writtenBytes)} are rewritten (${of}), and as much to the log, beside ${formatBytes(databaseBytes)}`,
    free,
  ];
}
