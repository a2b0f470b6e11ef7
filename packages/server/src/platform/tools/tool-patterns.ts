import { JqBudgetError, JqError } from '@portolan/jq';
import { LRUCache } from 'lru-cache';
import { compilePattern } from '../safe-pattern.ts';

const patternCharactersMax = 1000;

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
 * Compiles a tool pattern as `^(?:pattern)`: anchored at the start of the name, its end open, case-sensitive.
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

export const matchToolPattern: PatternMatcher = (pattern, subject) => compileToolPattern(pattern)(subject);

const literalStart = /^\^?(?:\((?:\?:)?([A-Za-z]+(?:\|[A-Za-z]+)*)\)|([A-Za-z]+))_[^|]*$/;

/**
 * Whether a pattern could match a name with this start. Only patterns that plainly begin with words, like the default,
 * are ever ruled out.
 */
export function mayMatchStart(pattern: string, start: string): boolean {
  const words = literalStart.exec(pattern);
  if (!words) return true;
  return (words[1] ?? words[2] ?? '').split('|').some((word) => start.startsWith(word) || word.startsWith(start));
}

/** Why a pattern would be refused; undefined if it is valid. */
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
  try {
    // the bare pattern first: wrapping could complete an unbalanced one
    compilePattern(pattern);
    return { matches: remembering(pattern) };
  } catch (error) {
    if (error instanceof JqError) return { reason: error.message };
    throw error;
  }
}

/**
 * Results are cached by name. A pattern that once ran out of time matches nothing until it leaves the cache: fifty
 * patterns could otherwise hold the process for fifty deadlines each.
 */
function remembering(pattern: string): CompiledToolPattern {
  const anchored = compilePattern(`^(?:${pattern})`);
  const verdicts = new LRUCache<string, boolean>({ max: 1000 });
  let isTooSlow = false;
  return (subject) => {
    const known = verdicts.get(subject);
    if (known !== undefined) return known;
    if (!isTooSlow) {
      try {
        const verdict = anchored.test(subject);
        verdicts.set(subject, verdict);
        return verdict;
      } catch (error) {
        if (!(error instanceof JqBudgetError)) throw error;
        isTooSlow = true;
      }
    }
    throw new ToolPatternTimeout(`The pattern ${pattern.slice(0, 100)} took longer than its time`);
  };
}
