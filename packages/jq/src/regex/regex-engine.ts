import type { Budget } from '../budget.ts';

/** One match. Offsets are UTF-16 units; a group that took no part is null. */
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
  /** Leave out matches of nothing. */
  readonly notEmpty: boolean;
  /** All matches, or only the first. */
  readonly isGlobal: boolean;
}

/** All matches asked for and the names of the capture groups. */
export interface MatchResult {
  readonly names: readonly (string | null)[];
  readonly matches: readonly RegexMatch[];
}

/** Runs regular expressions for a program, within the limits of its budget. Throws what `matchAll` documents. */
export interface RegexEngine {
  /**
   * @throws PatternError for a pattern that is none
   * @throws JqBudgetError for a pattern, subject or time over its limit
   * @throws JqRefusedError for a pattern this engine cannot run safely
   */
  matchAll(request: MatchRequest, subject: string, limits: RegexLimits): MatchResult;
}

export type RegexLimits = Pick<Budget, 'regexPatternLengthMax' | 'regexSubjectLengthMax' | 'regexTimeMs'>;

/** What a backtracking engine is asked to run: V8 syntax, flags `ud` and `i`, all match positions within `timeMs`. */
export interface BacktrackRequest {
  readonly source: string;
  readonly flags: string;
  readonly subject: string;
  readonly groupCount: number;
  readonly isGlobal: boolean;
  readonly notEmpty: boolean;
  readonly timeMs: number;
}

/** Runs patterns RE2 refuses (lookarounds, backreferences) and gives up at the deadline, answering undefined. */
export interface BacktrackEngine {
  matchAll(request: BacktrackRequest): RegexMatch[] | undefined;
}
