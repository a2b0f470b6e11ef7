import type { Work } from '../../platform/unit-of-work.ts';
import type { SearchDeps } from './query-context.ts';

/** A reader of the transaction's rows at its moment. */
export function transactionReader({ tx, now }: Pick<Work, 'tx' | 'now'>): SearchDeps {
  return { database: tx, clock: { now: () => now } };
}
