import type { Answer } from './presence.types.ts';

/** Whether a database is migrated, and whether it takes writes. */
export const stateStatement = `select current_setting('transaction_read_only') = 'on' as "isReadOnly" from schema_migrations limit 1`;

/** No migration is applied; its table may be missing (42P01). */
export const notMigrated: Answer = { problem: new Error('No migration is applied'), isReadOnly: false };

export function toAnswer(rows: readonly unknown[]): Answer {
  const row = rows[0] as { readonly isReadOnly: boolean } | undefined;
  return row ? { isReadOnly: row.isReadOnly } : notMigrated;
}
