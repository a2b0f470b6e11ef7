import sql from 'sql-template-tag';
import type { Tx } from './database.ts';

/**
 * Held until the end of the transaction, so that what has a limit is counted by one after the other: a count sees no rows
 * that another transaction is about to commit.
 */
export async function lockCount(tx: Tx, orgId: string, what: string): Promise<void> {
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`count:${orgId}:${what}`}, 0))`);
}
