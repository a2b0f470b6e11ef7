/**
 * Limits of one evaluation. Every limit is hard: exceeding it throws {@link JqBudgetError} naming the field, which the
 * program cannot catch. String lengths count UTF-16 units.
 */
export interface Budget {
  /** Values produced, calls made and elements copied by the program. Roughly 5 to 50 million a second. */
  readonly stepsMax: number;
  /** Values the whole program may emit. */
  readonly outputsMax: number;
  /** Nested calls (tail calls do not count). */
  readonly depthMax: number;
  readonly stringLengthMax: number;
  /** Elements of one array, and keys of one object. */
  readonly arrayLengthMax: number;
  /** Estimated total bytes of arrays, objects and strings built, whether still alive or not; bounds memory. */
  readonly allocatedBytesMax: number;
  /** Checked about once in a thousand steps. */
  readonly wallTimeMs: number;
  /** Elements and keys of one emitted value, counted as a tree: shared parts count at each occurrence. */
  readonly resultSizeMax: number;
  readonly resultDepthMax: number;
  /** Whether outputs may hold U+0000, which databases do not store in texts; refused by {@link JqRefusedError} if not. */
  readonly allowsNul: boolean;
  readonly sourceLengthMax: number;
  /** Depth of the syntax tree. */
  readonly nestingMax: number;
  readonly regexPatternLengthMax: number;
  /** Subject length for patterns that RE2 runs in linear time; patterns that need backtracking get 16,384 at most. */
  readonly regexSubjectLengthMax: number;
  /** For one match by a backtracking engine. */
  readonly regexTimeMs: number;
}

/** Generous for a hand-written expression, small enough that no evaluation can harm the process. */
export const defaultBudget: Budget = {
  stepsMax: 10_000_000,
  outputsMax: 100_000,
  depthMax: 10_000,
  stringLengthMax: 10_000_000,
  arrayLengthMax: 1_000_000,
  allocatedBytesMax: 268_435_456,
  wallTimeMs: 1_000,
  resultSizeMax: 1_000_000,
  resultDepthMax: 1_000,
  allowsNul: true,
  sourceLengthMax: 100_000,
  nestingMax: 400,
  regexPatternLengthMax: 1_024,
  regexSubjectLengthMax: 262_144,
  regexTimeMs: 50,
};

/** The defaults with the given fields replaced. */
export function completeBudget(changes: Partial<Budget> | undefined): Budget {
  return changes === undefined ? defaultBudget : { ...defaultBudget, ...changes };
}
