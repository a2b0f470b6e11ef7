import { DatabaseError } from './engine.ts';

/**
 * Why the database refused something that it may do later: it is away, it has no room, it takes no writes at the moment,
 * others were in the way too long, or the statement was too slow.
 */
export type PassingReason = 'away' | 'full' | 'read-only' | 'contended' | 'slow';

/** Whole classes of SQLSTATE (PostgreSQL documentation, appendix A), and single codes, which win. */
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
  // after every repetition of the transaction
  '40001': 'contended',
  '40P01': 'contended',
};

/** The one place that decides which failures of the database pass; undefined for defects and for broken rules. */
export function passingReason(error: unknown): PassingReason | undefined {
  if (!(error instanceof DatabaseError)) return undefined;
  return codes[error.code] ?? classes[error.code.slice(0, 2)];
}

/** Whether nothing can be done until the database goes on: no fault of what was asked. */
export function waitsForDatabase(error: unknown): boolean {
  return ['away', 'full', 'read-only'].includes(passingReason(error) ?? '');
}

/** Whether the connection is gone, and maybe the database with it. */
export function isAway(error: unknown): error is DatabaseError {
  return passingReason(error) === 'away';
}
