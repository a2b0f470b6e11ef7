import { compile, JqError, type JqValue, replaceSingleQuotes } from '@portolan/jq';
import { nodeRegexEngine } from '@portolan/jq/node';

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

export type Evaluated = { readonly value: JqValue | undefined } | { readonly error: string };

/** Evaluates an expression that people wrote, as the platform quotes them; a failure is an answer, never thrown. */
export function evaluateJq(expression: string, input: JqValue, now: Date): Evaluated {
  try {
    const program = compile(replaceSingleQuotes(expression), { regex: nodeRegexEngine, budget });
    return { value: program.first(input, { now }) };
  } catch (error) {
    if (error instanceof JqError) return { error: error.message.slice(0, 300) };
    throw error;
  }
}
