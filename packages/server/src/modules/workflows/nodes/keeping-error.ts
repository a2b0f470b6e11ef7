import type { Work } from '../../../platform/unit-of-work.ts';
import type { NodeOutcome } from './node-kind.ts';

type Settle = (work: Work, outcome: NodeOutcome) => Promise<void>;

/**
 * A settlement whose error is told apart from one of the write around it: that the run has moved on is no failure of the
 * step. A repeated transaction starts anew.
 */
export function keepingError(settle: Settle): { readonly settle: Settle; readonly rethrow: () => void } {
  let kept: { readonly error: unknown } | undefined;
  return {
    settle: async (work, outcome) => {
      kept = undefined;
      try {
        await settle(work, outcome);
      } catch (error) {
        kept = { error };
        throw error;
      }
    },
    rethrow: () => {
      if (kept) throw kept.error;
    },
  };
}
