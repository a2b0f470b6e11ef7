import type { Issue } from '@portolan/contract/errors';
import { type ExitCode, exitCodes } from './exit-codes.ts';

/** An expected end of a command: what is printed on stderr, and the exit code. The message says what to do. */
export class CliError extends Error {
  readonly exitCode: ExitCode;
  /** An error code of the API, or one of the command line's own. */
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

/** The command was called wrongly. */
export function usageError(message: string): CliError {
  return new CliError(exitCodes.usage, 'usage', message);
}
