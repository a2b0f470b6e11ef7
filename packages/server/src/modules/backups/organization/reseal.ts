import { createSecretScope } from '../../../platform/secrets/secret-scope.ts';
import type { SealedColumn, Sealer } from '../../identity/index.ts';
import { BackupError } from '../backup-format.ts';
import { sealedInTransit, type TransferKey } from './transfer-key.ts';

/** What seals the values of an installation, and of a file. */
export interface Seals {
  readonly orgId: string;
  readonly sealer: Sealer;
  readonly key: TransferKey;
  readonly columns: readonly SealedColumn[];
}

type Row = Record<string, string | null>;

const sealedHere = /v1\.[0-9a-f]{16}\.[\w-]+\.[\w-]+/g;

/** The row as the file has it: what the master key sealed is sealed by the passphrase. */
export function sealForTransfer({ orgId, sealer, key, columns }: Seals, table: string, row: Row): Row {
  return replaceSealed(columns, table, row, sealedHere, (text, place, purpose) => {
    try {
      return key.seal(place, sealer.open(orgId, purpose, text, createSecretScope()));
    } catch (cause) {
      throw new BackupError(
        `A secret of ${place} cannot be opened with the master key of this installation. Enter it again, then export anew.`,
        { cause },
      );
    }
  });
}

/** The row as the installation has it. @throws Error for what the passphrase did not seal there */
export function sealForHere({ orgId, sealer, key, columns }: Seals, table: string, row: Row): Row {
  return replaceSealed(columns, table, row, sealedInTransit, (text, place, purpose) =>
    sealer.seal(orgId, purpose, key.open(place, text)),
  );
}

function replaceSealed(
  columns: readonly SealedColumn[],
  table: string,
  row: Row,
  pattern: RegExp,
  replace: (text: string, place: string, purpose: string) => string,
): Row {
  const own = columns.filter((each) => each.table === table);
  if (own.length === 0) return row;
  const changedRow = { ...row };
  for (const { column, purpose } of own) {
    const text = row[column];
    if (!text) continue;
    const place = `${table}.${column}, ${purpose(row)}`;
    changedRow[column] = text.replace(pattern, (sealed) => replace(sealed, place, purpose(row)));
  }
  return changedRow;
}
