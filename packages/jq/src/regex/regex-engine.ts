import type { Budget } from '../budget.ts';

/** One match. Offsets are UTF-16 units; a group that did not participate is null. */
export interface RegexMatch {
  readonly start: number;
  readonly end: number;
  readonly groups: readonly (readonly [start: number, end: number] | null)[];
}

export interface MatchRequest {
  readonly pattern: string;
  readonly ignoreCase: boolean;
  readonly extended: boolean;
  readonly dotAll: boolean;
  readonly longest: boolean;
  /** Skip empty matches. */
  readonly notEmpty: boolean;
  /** All matches, or only the first. */
  readonly isGlobal: boolean;
}

/** The requested matches, and the names of the capture groups. */
export interface MatchResult {
  readonly names: readonly (string | null)[];
  readonly matches: readonly RegexMatch[];
}

/** Runs regular expressions for a program, within the limits of its budget. Throws as documented at `matchAll`. */
export interface RegexEngine {
  /**
   * @throws PatternError for an invalid pattern
   * @throws JqBudgetError for a pattern, subject or time over its limit
   * @throws JqRefusedError for a pattern this engine cannot run safely
   */
  matchAll(request: MatchRequest, subject: string, limits: RegexLimits): MatchResult;
}

export type RegexLimits = Pick<Budget, 'regexPatternLengthMax' | 'regexSubjectLengthMax' | 'regexTimeMs'>;

/** A request to a backtracking engine: V8 syntax, flags `ud` and `i`, all match positions within `timeMs`. */
export interface BacktrackRequest {
  readonly source: string;
  readonly flags: string;
  readonly subject: string;
  readonly groupCount: number;
  readonly isGlobal: boolean;
  readonly notEmpty: boolean;
  readonly timeMs: number;
}

/** Runs patterns that RE2 refuses (lookarounds, backreferences); undefined at the deadline. */
export interface BacktrackEngine {
  matchAll(request: BacktrackRequest): RegexMatch[] | undefined;
}
