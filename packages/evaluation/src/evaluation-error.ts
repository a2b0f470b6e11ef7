import type { Issue } from '@portolan/contract/errors';

/** An evaluation that cannot begin, or not go on. The message says what to do. */
export class EvaluationError extends Error {
  readonly code: string;
  readonly issues: readonly Issue[];

  constructor(code: string, message: string, issues: readonly Issue[] = []) {
    super(message);
    this.name = 'EvaluationError';
    this.code = code;
    this.issues = issues;
  }
}
