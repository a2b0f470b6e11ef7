import { createSafeRegex, type SafeRegex } from '@portolan/jq';
import { nodeRegexEngine } from '@portolan/jq/node';

/**
 * Compiles a pattern of a case: linear time where RE2 takes it, V8 under a deadline for look-around and back-references.
 * @throws JqSyntaxError, JqRefusedError, JqBudgetError (length)
 */
export function compilePattern(pattern: string, flags = ''): SafeRegex {
  return createSafeRegex(pattern, { engine: nodeRegexEngine, flags });
}

/** Compiles a pattern of tool names, which is matched from the start of a name as everywhere. Throws as above. */
export function compileToolPattern(pattern: string): SafeRegex {
  return compilePattern(`^(?:${pattern})`);
}
