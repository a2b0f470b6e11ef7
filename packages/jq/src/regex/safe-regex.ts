import { type Budget, completeBudget } from '../budget.ts';
import { JqSyntaxError } from '../errors.ts';
import { linearRegexEngine } from './linear-engine.ts';
import { PatternError } from './pattern-escape.ts';
import type { MatchRequest, RegexEngine } from './regex-engine.ts';

export interface SafeRegexOptions {
  /** Letters of `i` (ignore case), `s` (dot matches line breaks) and `x` (free spacing). Default none. */
  readonly flags?: string;
  /** Default RE2 alone; pass the Node engine to allow lookarounds and backreferences, with a deadline per match. */
  readonly engine?: RegexEngine;
  readonly limits?: Partial<Pick<Budget, 'regexPatternLengthMax' | 'regexSubjectLengthMax' | 'regexTimeMs'>>;
}

export interface SafeMatch {
  /** UTF-16 offset of the match and of its end. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Capture groups in order; null for one that did not participate. */
  readonly groups: readonly (string | null)[];
  readonly named: Readonly<Record<string, string | null>>;
}

/** A third-party regular expression that is safe to run in this process. */
export interface SafeRegex {
  readonly pattern: string;
  /** @throws JqBudgetError for a subject or a match over its limit. */
  test(subject: string): boolean;
  /** The first match, or null. Throws as `test` does. */
  exec(subject: string): SafeMatch | null;
}

/**
 * Compiles a third-party pattern. Patterns RE2 can run take time linear in the subject; the others run on the engine's
 * backtracking part with a deadline. Throws {@link JqSyntaxError} for an invalid pattern, {@link JqRefusedError} for
 * one the engine cannot run and {@link JqBudgetError} for one over the length limit.
 */
export function createSafeRegex(pattern: string, options: SafeRegexOptions = {}): SafeRegex {
  const { flags = '', engine = linearRegexEngine } = options;
  if (/[^isx]/.test(flags)) throw new JqSyntaxError(`unknown flag in '${flags}'`, flags, 0, ["'i'", "'s'", "'x'"]);
  const limits = completeBudget(options.limits);
  const request: MatchRequest = {
    pattern,
    ignoreCase: flags.includes('i'),
    extended: flags.includes('x'),
    dotAll: flags.includes('s'),
    longest: false,
    notEmpty: false,
    isGlobal: false,
  };
  const find = (subject: string): ReturnType<RegexEngine['matchAll']> => {
    try {
      return engine.matchAll(request, subject, limits);
    } catch (error) {
      if (error instanceof PatternError) throw new JqSyntaxError(`regular expression: ${error.message}`, pattern, 0);
      throw error;
    }
  };
  find('');
  return {
    pattern,
    test: (subject) => find(subject).matches.length > 0,
    exec: (subject) => {
      const { names, matches } = find(subject);
      const [match] = matches;
      if (match === undefined) return null;
      const groups = match.groups.map((group) => (group === null ? null : subject.slice(group[0], group[1])));
      const named: Record<string, string | null> = Object.create(null);
      for (const [at, name] of names.entries()) if (name !== null) named[name] = groups[at] ?? null;
      return { start: match.start, end: match.end, text: subject.slice(match.start, match.end), groups, named };
    },
  };
}
