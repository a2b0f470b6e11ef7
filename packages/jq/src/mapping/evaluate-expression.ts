import { JqError } from '../errors.ts';
import { compile } from '../program.ts';
import type { RegexEngine } from '../regex/regex-engine.ts';
import { replaceSingleQuotes } from '../template/platform-quotes.ts';
import type { JqValue } from '../value/value.ts';

/** Of one expression over one item. Events come in numbers, so this is tighter than elsewhere. */
const budget = {
  wallTimeMs: 50,
  stepsMax: 2_000_000,
  allocatedBytesMax: 33_554_432,
  stringLengthMax: 1_000_000,
  arrayLengthMax: 100_000,
  resultSizeMax: 100_000,
  resultDepthMax: 100,
  sourceLengthMax: 20_000,
} as const;

/** What all expressions of one event may take together. */
export const mappingMillisecondsMax = 1_000;

export type EvaluationResult = { readonly value: JqValue | undefined } | { readonly error: string };
export type EvaluateExpression = (expression: string, input: JqValue, now: Date) => EvaluationResult;

/**
 * Evaluates expressions that people wrote, as the platform quotes them; a failure is an answer, never thrown. Server and
 * browser differ in the engine for regular expressions alone.
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
