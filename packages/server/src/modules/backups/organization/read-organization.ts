import type { Readable } from 'node:stream';
import { parseJson } from '../../../platform/parse-json.ts';
import { BackupError } from '../backup-format.ts';
import { type FilePart, readParts } from '../read-backup.ts';
import { ownerColumn } from './moved-tables.ts';
import {
  type OrganizationHeader,
  organizationLimits,
  readOrganizationHeader,
  requireSigned,
  type SignedHeader,
} from './organization-file.ts';
import { createTransferKey, type TransferKey } from './transfer-key.ts';

type Row = Record<string, string | null>;

/** A part of an organization's file that was checked as far as a file can be by itself. */
export type OrganizationPart =
  | { readonly kind: 'header'; readonly header: OrganizationHeader; readonly key: TransferKey | undefined }
  | { readonly kind: 'table'; readonly table: string; readonly columns: readonly string[]; readonly line: number }
  | { readonly kind: 'rows'; readonly table: string; readonly rows: readonly Row[]; readonly line: number }
  | { readonly kind: 'tableEnd'; readonly table: string; readonly count: number; readonly sha256: string }
  | { readonly kind: 'end'; readonly sha256: string };

/**
 * The parts of an organization's file. With a passphrase also who wrote it is checked. Whoever acts on a part takes it back
 * if a later one throws.
 * @throws BackupError naming the line, for a file that is cut short, changed, or has rows that are none of the organization
 */
export async function* readOrganization(file: Readable, passphrase?: string): AsyncGenerator<OrganizationPart> {
  let head: SignedHeader | undefined;
  let key: TransferKey | undefined;
  let columns: readonly string[] = [];
  for await (const part of readParts(file, { readHeader: readOrganizationHeader, limits: organizationLimits })) {
    if (part.kind === 'header') {
      head = part.header;
      const { header, mac } = head;
      if (passphrase !== undefined) {
        key = createTransferKey(passphrase, header.organization.id);
        requireSigned(key, JSON.stringify(header), mac);
      }
      yield { kind: 'header', header, key };
    } else if (part.kind === 'rows') {
      yield { ...part, rows: readRows(part, columns, head?.header.organization.id) };
    } else if (part.kind === 'sequences')
      throw new BackupError('The file says how far sequences are outside its head.');
    else if (part.kind === 'end') {
      if (key) requireSigned(key, part.sha256, part.mac);
      yield part;
    } else {
      if (part.kind === 'table') columns = part.columns;
      yield part;
    }
  }
}

export function refuseLine(line: number, table: string, why: string): BackupError {
  return new BackupError(`Line ${line}, ${table}: ${why}. Nothing was imported.`);
}

function readRows(
  { table, rows, line }: Extract<FilePart<never>, { kind: 'rows' }>,
  columns: readonly string[],
  orgId: string | undefined,
): readonly Row[] {
  return rows.map((text, index) => {
    const values = parseJson(text);
    const isRow =
      Array.isArray(values) &&
      values.length === columns.length &&
      values.every((value) => value === null || typeof value === 'string');
    if (!isRow) throw refuseLine(line + index, table, `this is no row of ${columns.length} texts`);
    const row = Object.fromEntries(columns.map((column, place) => [column, values[place] as string | null]));
    const owner = row[ownerColumn(table)];
    if (owner !== orgId) throw refuseLine(line + index, table, 'the row belongs to another organization than the file');
    return row;
  });
}
