import { createHash, type Hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { BackupError, type BackupHeader, changed, cutShort, readHeader, readStatement } from './backup-format.ts';
import { readLines, type UnpackLimits } from './unpack.ts';

/** A part of a file of rows, in its order. Rows are JSON arrays of texts, as they stand in it; lines count from 1. */
export type FilePart<Header> =
  | { readonly kind: 'header'; readonly header: Header }
  | { readonly kind: 'table'; readonly table: string; readonly columns: readonly string[]; readonly line: number }
  | { readonly kind: 'rows'; readonly table: string; readonly rows: readonly string[]; readonly line: number }
  | { readonly kind: 'tableEnd'; readonly table: string; readonly count: number; readonly sha256: string }
  | { readonly kind: 'sequences'; readonly last: Readonly<Record<string, string | null>> }
  | { readonly kind: 'end'; readonly sha256: string; readonly mac: string | undefined };

export type BackupPart = FilePart<BackupHeader>;

/** How a file of rows begins, and how far it is trusted. */
export interface FileKind<Header> {
  /** @throws BackupError for a line that is no head of such a file */
  readonly readHeader: (line: string) => Header;
  readonly limits?: UnpackLimits | undefined;
}

/** Rows are handed on when they have so many bytes or are so many. */
const batchBytes = 1_000_000;
const batchRows = 1_000;
/** What a row begins with; all else that a backup says begins with a brace. */
const bracket = 0x5b;

interface ReadTable {
  readonly table: string;
  readonly hash: Hash;
  rows: string[];
  bytes: number;
  count: number;
  /** Of the first of `rows`. */
  line: number;
}

/** The parts of a backup. @throws BackupError for a file that is cut short, changed, no backup, or of a later format */
export function readBackup(file: Readable): AsyncGenerator<BackupPart> {
  return readParts(file, { readHeader });
}

/**
 * The parts of a file of rows, each checked when it is handed on: whoever acts on them takes all back if a later one throws. The
 * last is `end`, and only then was the file whole.
 * @throws BackupError for a file that is cut short, changed, or begins otherwise
 */
export async function* readParts<Header>(file: Readable, kind: FileKind<Header>): AsyncGenerator<FilePart<Header>> {
  const lines = readLines(file, kind.limits);
  const head = await lines.next();
  if (head.done) throw new BackupError('The file is empty: this is no backup.');
  yield { kind: 'header', header: kind.readHeader(head.value.toString('utf8')) };
  let number = 1;
  const whole = createHash('sha256');
  let tables = 0;
  let open: ReadTable | undefined;
  for (let line = await lines.next(); !line.done; line = await lines.next()) {
    number += 1;
    const text = line.value.toString('utf8');
    if (line.value[0] === bracket) {
      if (!open) throw changed('a row stands in no table');
      whole.update(line.value).update('\n');
      const batch = addRow(open, line.value, text, number);
      if (batch) yield batch;
      continue;
    }
    const said = readStatement(text);
    if ('end' in said) {
      const isWhole = !open && said.tables === tables && said.sha256 === whole.digest('hex');
      if (!isWhole) throw changed('its end does not fit what stands before it');
      if (!(await lines.next()).done) throw changed('it goes on after its end');
      yield { kind: 'end', sha256: said.sha256, mac: said.mac };
      return;
    }
    whole.update(line.value).update('\n');
    if ('rows' in said) {
      const isFitting = open && said.table === open.table && said.rows === open.count;
      if (!open || !isFitting || said.sha256 !== open.hash.digest('hex')) {
        throw changed(`the rows of ${said.table} do not have their checksum`);
      }
      if (open.rows.length > 0) yield takeRows(open);
      open = undefined;
      yield { kind: 'tableEnd', table: said.table, count: said.rows, sha256: said.sha256 };
      continue;
    }
    if (open) throw changed(`the rows of ${open.table} have no end`);
    if ('sequences' in said) {
      yield { kind: 'sequences', last: said.sequences };
      continue;
    }
    tables += 1;
    open = { table: said.table, hash: createHash('sha256'), rows: [], bytes: 0, count: 0, line: 0 };
    yield { kind: 'table', table: said.table, columns: said.columns, line: number };
  }
  throw cutShort();
}

type RowsPart = Extract<FilePart<never>, { kind: 'rows' }>;

/** Adds a row, and answers those added before once they are enough for a batch. */
function addRow(open: ReadTable, bytes: Buffer, text: string, line: number): RowsPart | undefined {
  if (open.rows.length === 0) open.line = line;
  open.hash.update(bytes).update('\n');
  open.rows.push(text);
  open.bytes += bytes.length;
  open.count += 1;
  return open.bytes >= batchBytes || open.rows.length >= batchRows ? takeRows(open) : undefined;
}

function takeRows(open: ReadTable): RowsPart {
  const { table, rows, line } = open;
  open.rows = [];
  open.bytes = 0;
  return { kind: 'rows', table, rows, line };
}
