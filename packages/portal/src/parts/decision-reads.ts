/** What a decision on a run makes outdated. */
export const decisionReads = ['getRun', 'listRuns', 'listApprovers', 'getRunDecision', 'listRunLogs'] as const;
