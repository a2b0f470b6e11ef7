import type { Readable } from 'node:stream';
import { BackupError } from '../backup-format.ts';
import type { OrganizationHeader } from './organization-file.ts';
import { readOrganization } from './read-organization.ts';

export interface VerifiedFile {
  readonly header: OrganizationHeader;
  /** Tables that have rows, and how many. */
  readonly tables: readonly { readonly table: string; readonly rows: number }[];
  readonly sha256: string;
}

/** Reads an organization's file to its end, without a database. @throws BackupError as an import would */
export async function verifyOrganizationFile(file: Readable, passphrase?: string): Promise<VerifiedFile> {
  let header: OrganizationHeader | undefined;
  let sha256 = '';
  const tables: { table: string; rows: number }[] = [];
  for await (const part of readOrganization(file, passphrase)) {
    if (part.kind === 'header') header = part.header;
    else if (part.kind === 'tableEnd' && part.count > 0) tables.push({ table: part.table, rows: part.count });
    else if (part.kind === 'end') sha256 = part.sha256;
  }
  if (!header) throw new BackupError('The file has no head.');
  return { header, tables, sha256 };
}
