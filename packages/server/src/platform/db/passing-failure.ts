import { DatabaseError } from './database-error.ts';

/**
 * Why a failure of the database is temporary: it is unreachable, out of room, read-only, contended, or the statement
 * was too slow.
 */
export type PassingReason = 'away' | 'full' | 'read-only' | 'contended' | 'slow';

/** By class of SQLSTATE (PostgreSQL documentation, appendix A); single codes win. */
const classes: Readonly<Record<string, PassingReason>> = { '08': 'away', '53': 'full' };
const codes: Readonly<Record<string, PassingReason>> = {
  '57P01': 'away',
  '57P02': 'away',
  '57P03': 'away',
  '57P04': 'away',
  '57P05': 'away',
  '57014': 'slow',
  '25P03': 'slow',
  '25P04': 'slow',
  '25006': 'read-only',
  '55P03': 'contended',
  // after the transaction was repeated as often as allowed
  '40001': 'contended',
  '40P01': 'contended',
};

/** The one place that decides which database failures are temporary; undefined for defects and violated constraints. */
export function passingReason(error: unknown): PassingReason | undefined {
  if (!(error instanceof DatabaseError)) return undefined;
  return codes[error.code] ?? classes[error.code.slice(0, 2)];
}

/** Whether nothing can work until the database is back, whatever was asked. */
export function waitsForDatabase(error: unknown): boolean {
  return ['away', 'full', 'read-only'].includes(passingReason(error) ?? '');
}

/** Whether the connection is lost. */
export function isAway(error: unknown): error is DatabaseError {
  return passingReason(error) === 'away';
}
