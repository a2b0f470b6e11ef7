import { type Budget, compile, type JqValue, replaceSingleQuotes } from '@portolan/jq';
import { nodeRegexEngine } from '@portolan/jq/node';

/** Bounds of one expression of a policy; what all of them take together is bounded beside. */
const budget: Partial<Budget> = {
  stepsMax: 2_000_000,
  outputsMax: 10_000,
  stringLengthMax: 1_000_000,
  arrayLengthMax: 100_000,
  allocatedBytesMax: 67_108_864,
  resultSizeMax: 20_000,
  resultDepthMax: 50,
  wallTimeMs: 250,
  regexTimeMs: 20,
};

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
      const program = compile(replaceSingleQuotes(expression), { regex: nodeRegexEngine, budget });
      const wallTimeMs = Math.max(1, Math.min(budget.wallTimeMs as number, totalMsMax - spentMs));
      const startedAt = performance.now();
      try {
        return program.first(input, { now, budget: { wallTimeMs } });
      } finally {
        spentMs += performance.now() - startedAt;
      }
    },
  };
}
