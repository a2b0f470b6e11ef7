import { createContext, Script } from 'node:vm';
import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';

/** Longest pattern that is read at all. */
export const patternCharactersMax = 1000;
/** What one run of an expression that needs backtracking may take. */
const patternMsMax = 50;

/** The pattern is not a regular expression; the message is the reason, for people. */
export class InvalidToolPattern extends Error {
  override readonly name = 'InvalidToolPattern';
}

/** The pattern took longer than its time box; it matches nothing. */
export class ToolPatternTimeout extends Error {
  override readonly name = 'ToolPatternTimeout';
}

/** Whether the pattern matches the subject from its start. @throws InvalidToolPattern, ToolPatternTimeout */
export type PatternMatcher = (pattern: string, subject: string) => boolean;

export type CompiledToolPattern = (subject: string) => boolean;

type Compiled = { readonly matches: CompiledToolPattern } | { readonly reason: string };

const compiled = new LRUCache<string, Compiled>({ max: 500 });

/**
 * Compiles a tool pattern as `^(?:pattern)`: anchored at the start of the name, its end open, case-sensitive. Linear
 * time where RE2 takes the expression; look-around and back-references run in V8 under a deadline.
 *
 * @throws InvalidToolPattern
 */
export function compileToolPattern(pattern: string): CompiledToolPattern {
  let entry = compiled.get(pattern);
  if (!entry) {
    entry = compile(pattern);
    compiled.set(pattern, entry);
  }
  if ('reason' in entry) throw new InvalidToolPattern(entry.reason);
  return entry.matches;
}

/** The `PatternMatcher` over `compileToolPattern`. */
export const matchToolPattern: PatternMatcher = (pattern, subject) => compileToolPattern(pattern)(subject);

/** Why a pattern would be refused, or nothing if it would not be. */
export function toolPatternProblem(pattern: string): string | undefined {
  try {
    compileToolPattern(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidToolPattern) return error.message;
    throw error;
  }
}

function compile(pattern: string): Compiled {
  if (pattern.length > patternCharactersMax) return { reason: `it is longer than ${patternCharactersMax} characters` };
  const linear = compileLinear(pattern);
  if (linear) return { matches: linear };
  try {
    // the bare pattern first: wrapping could complete an unbalanced one
    new RegExp(pattern);
    return { matches: withDeadline(new RegExp(`^(?:${pattern})`), pattern) };
  } catch (error) {
    return { reason: (error as Error).message.replace(/^Invalid regular expression: /, '') };
  }
}

function compileLinear(pattern: string): CompiledToolPattern | undefined {
  try {
    const expression = RE2JS.compile(pattern);
    return (subject) => expression.matcher(subject).lookingAt();
  } catch {
    return undefined;
  }
}

const sandbox = createContext({ expression: /x/, subject: '' }) as { expression: RegExp; subject: string };
const test = new Script('expression.test(subject)');

/**
 * A pattern that ran over its time box once is given up for every name until it leaves the cache: fifty patterns
 * could otherwise hold the process for fifty deadlines each.
 */
function withDeadline(expression: RegExp, pattern: string): CompiledToolPattern {
  const verdicts = new LRUCache<string, boolean>({ max: 1000 });
  let isTooSlow = false;
  return (subject) => {
    const known = verdicts.get(subject);
    if (known !== undefined) return known;
    if (!isTooSlow) {
      sandbox.expression = expression;
      sandbox.subject = subject;
      try {
        const verdict = test.runInContext(sandbox, { timeout: patternMsMax }) as boolean;
        verdicts.set(subject, verdict);
        return verdict;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
        isTooSlow = true;
      }
    }
    throw new ToolPatternTimeout(`The pattern ${pattern.slice(0, 100)} took longer than ${patternMsMax} ms`);
  };
}
