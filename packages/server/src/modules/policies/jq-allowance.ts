import type { JqValue } from '@portolan/jq';
import { compileExpression, expressionLimits } from '../../platform/expressions.ts';

/** Budget of all expressions of one policy: they block the event loop. */
const totalMsMax = 500;

export interface JqAllowance {
  /**
   * First output.
   * @throws JqError also when the budget is spent
   */
  first(expression: string, input: JqValue): JqValue | undefined;
}

export function createJqAllowance(now: Date): JqAllowance {
  let spentMs = 0;
  return {
    first(expression, input) {
      const program = compileExpression('policy', expression);
      const wallTimeMs = Math.max(1, Math.min(expressionLimits.policy.wallTimeMs, totalMsMax - spentMs));
      const startedAt = performance.now();
      try {
        return program.first(input, { now, budget: { wallTimeMs } });
      } finally {
        spentMs += performance.now() - startedAt;
      }
    },
  };
}
