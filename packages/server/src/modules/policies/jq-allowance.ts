import type { JqValue } from '@portolan/jq';
import { compileExpression, expressionLimits } from '../../platform/expressions.ts';

/** All expressions of one policy together: while they run, nobody else is served. */
const totalMsMax = 500;

/** Evaluates the expressions of one policy within what one policy may cost. */
export interface JqAllowance {
  /** The first output. @throws JqError also when nothing is left */
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
