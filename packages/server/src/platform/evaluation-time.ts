/**
 * The time of the expressions of one request or event: what they read as `now`, and how long they may take together,
 * because nobody else is served while one runs. What happens between them, such as a search, does not count.
 */
export interface EvaluationTime {
  readonly now: Date;
  readonly totalMs: number;
  /** Also while one runs; negative if the last took longer than it might. */
  leftMs(): number;
  /** Counts how long this takes, also if it throws. */
  spend<T>(evaluate: () => T): T;
}

export function shareTime(now: Date, totalMs: number): EvaluationTime {
  let endedMs = 0;
  let since: number | undefined;
  const spentMs = () => endedMs + (since === undefined ? 0 : performance.now() - since);
  return {
    now,
    totalMs,
    leftMs: () => totalMs - spentMs(),
    spend(evaluate) {
      since = performance.now();
      try {
        return evaluate();
      } finally {
        endedMs = spentMs();
        since = undefined;
      }
    },
  };
}
