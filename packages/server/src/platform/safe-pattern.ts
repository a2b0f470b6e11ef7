import { createSafeRegex } from '@portolan/jq';
import { nodeRegexEngine } from '@portolan/jq/node';

export interface SafePattern {
  test(subject: string): boolean;
}

/**
 * Compiles a pattern that somebody else wrote: linear time where RE2 takes it, V8 under a deadline for look-around and
 * back-references.
 * @throws JqSyntaxError, JqRefusedError, JqBudgetError (length)
 */
export function compilePattern(pattern: string): SafePattern {
  return createSafeRegex(pattern, { engine: nodeRegexEngine });
}
