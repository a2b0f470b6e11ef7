import type { Issue } from '@portolan/contract/errors';
import { type ExitCode, exitCodes } from './exit-codes.ts';

/** An expected failure: the message for stderr, which says what to do, and the exit code. */
export class CliError extends Error {
  readonly exitCode: ExitCode;
  /** An error code of the API, or one of the CLI's own. */
  readonly code: string;
  readonly issues: readonly Issue[];

  constructor(exitCode: ExitCode, code: string, message: string, issues: readonly Issue[] = []) {
    super(message);
    this.name = 'CliError';
    this.exitCode = exitCode;
    this.code = code;
    this.issues = issues;
  }
}

/** A mistake in the call. */
export function usageError(message: string): CliError {
  return new CliError(exitCodes.usage, 'usage', message);
}
