import { compile, JqError, type JqValue, replaceSingleQuotes } from '@portolan/jq';
import { nodeRegexEngine } from '@portolan/jq/node';

/** Per expression; a form may evaluate dozens. */
const budget = { wallTimeMs: 200 } as const;

export type Evaluated = { readonly value: JqValue | undefined } | { readonly error: JqError };

/** Evaluates an expression with the platform's quoting; failures are returned, not thrown. */
export function evaluateJq(expression: string, input: unknown, now: Date): Evaluated {
  try {
    const program = compile(replaceSingleQuotes(expression), { regex: nodeRegexEngine, budget });
    return { value: program.first(input as JqValue, { now }) };
  } catch (error) {
    if (error instanceof JqError) return { error };
    throw error;
  }
}
