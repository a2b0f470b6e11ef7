import type { Equivalent } from './report.ts';

/**
 * Mutants that no test can kill because nothing they change can be noticed. `before` and `after` are the lines as
 * `npm run mutate` prints them; an entry that fits no mutant any more fails the run.
 */
export const equivalents: readonly Equivalent[] = [];
