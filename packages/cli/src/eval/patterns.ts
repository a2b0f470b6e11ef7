import type { GraderKit } from '@portolan/evaluation';
import { createSafeRegex, type SafeRegex } from '@portolan/jq';
import { nodeRegexEngine } from '@portolan/jq/node';

/**
 * Compiles a pattern of a case: linear time where RE2 takes it, V8 under a deadline for look-around and back-references.
 * @throws JqSyntaxError, JqRefusedError, JqBudgetError (length)
 */
export const compilePattern = ((pattern, flags = ''): SafeRegex =>
  createSafeRegex(pattern, { engine: nodeRegexEngine, flags })) satisfies GraderKit['compilePattern'];
