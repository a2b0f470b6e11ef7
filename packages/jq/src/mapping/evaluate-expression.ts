import { JqError } from '../errors.ts';
import { compile } from '../program.ts';
import type { RegexEngine } from '../regex/regex-engine.ts';
import { replaceSingleQuotes } from '../template/platform-quotes.ts';
import type { JqValue } from '../value/value.ts';

/** For one expression on one item. Events come in large numbers, so this is tighter than elsewhere. */
const budget = {
  wallTimeMs: 50,
  stepsMax: 2_000_000,
  allocatedBytesMax: 33_554_432,
  stringLengthMax: 1_000_000,
  arrayLengthMax: 100_000,
  resultSizeMax: 100_000,
  resultDepthMax: 100,
  allowsNul: false,
  sourceLengthMax: 20_000,
} as const;

/** For all expressions of one event together. */
export const mappingMillisecondsMax = 1_000;

export type EvaluationResult = { readonly value: JqValue | undefined } | { readonly error: string };
export type EvaluateExpression = (expression: string, input: JqValue, now: Date) => EvaluationResult;

/**
 * Evaluates user-written expressions with the platform's quoting; returns failures instead of throwing. Server and
 * browser differ only in the engine for regular expressions.
 */
export function mappingEvaluator(regex: RegexEngine): EvaluateExpression {
  return (expression, input, now) => {
    try {
      const program = compile(replaceSingleQuotes(expression), { regex, budget });
      return { value: program.first(input, { now }) };
    } catch (error) {
      if (error instanceof JqError) return { error: error.message.slice(0, 300) };
      throw error;
    }
  };
}
