import { DatabaseError } from '../../../platform/db/database-error.ts';
import { passingReason, waitsForDatabase } from '../../../platform/db/passing-failure.ts';
import { AppError, asAppError } from '../../../platform/errors.ts';
import { Postponed } from '../../../platform/jobs/job.ts';
import { RunMoved } from './run-moved.ts';

/** From this attempt on, what fails unexpectedly is taken as lasting. */
export const unexpectedMax = 5;

export interface Try {
  /** Whether what fails unexpectedly is taken as lasting, instead of being tried again. */
  readonly isLastTry: boolean;
  readonly signal: AbortSignal;
}

/** Whether one more try would fail as well: a refusal does at once, and what nobody foresaw after some tries. */
export function lasts(error: unknown, { isLastTry, signal }: Try): boolean {
  const hasMoved = error instanceof RunMoved || (error instanceof AppError && error.code === 'stale_version');
  if (hasMoved || error instanceof Postponed || waitsForDatabase(error) || signal.aborted) return false;
  return isLastTry || (error instanceof AppError && !error.isRetryable);
}

/** Whether a job gives up what it failed at. A database that others hold up says nothing about that. */
export function isGivenUp(error: unknown, attempt: Try): boolean {
  return lasts(error, attempt) && passingReason(error) === undefined;
}

/** What readers of a run see of a failure, with its stable code: a refusal's own sentence, and nothing of a cause. */
export function describeFailure(error: unknown): { readonly code: string; readonly message: string } {
  const unexpected =
    error instanceof DatabaseError
      ? 'The database refused what was to be stored; the log of Portolan says why'
      : 'Something failed inside Portolan; its log says what';
  const { code, message } = asAppError(error, unexpected);
  return { code, message };
}
