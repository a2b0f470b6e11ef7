import { type ErrorBody, type ErrorCode, errorCodes, type Issue } from '@portolan/contract/errors';
import { UnknownOutcomeError } from './db/database-error.ts';
import { type PassingReason, passingReason } from './db/passing-failure.ts';

/** Bounds the size of a refusal. */
const issuesMax = 100;
const messageCharactersMax = 4_000;
const issueCharactersMax = 1_000;
const detailsCharactersMax = 64_000;

/**
 * The one error that reaches callers. Three texts never mix: `code` for programs, `message` for people, `cause` for
 * logs. `asAppError` makes one of anything else that is thrown.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorBody['details'];
  /** Seconds after which the caller may try again; sent as `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
  /** Members that a published error body has beside the envelope (only the AI limits do). */
  readonly extra: Readonly<Record<string, unknown>> | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      details?: ErrorBody['details'];
      cause?: unknown;
      retryAfterSeconds?: number;
      extra?: Readonly<Record<string, unknown>>;
    } = {},
  ) {
    super(shortened(message, messageCharactersMax), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = boundedDetails(options.details);
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.extra = options.extra;
  }

  get status(): number {
    return errorCodes[this.code].status;
  }

  get isRetryable(): boolean {
    return errorCodes[this.code].retry;
  }
}

const passing: Readonly<Record<PassingReason, string>> = {
  away: 'The database does not answer at the moment. Send the request again after the seconds in Retry-After.',
  full: 'The database has no room for more work at the moment. Send the request again after the seconds in Retry-After.',
  'read-only': 'The database takes no changes at the moment. Send the request again after the seconds in Retry-After.',
  contended: 'Others changed the same things for too long. Send the request again after the seconds in Retry-After.',
  slow: 'The database took too long. Ask for less, or send the request again after the seconds in Retry-After.',
};

const unknownOutcome =
  'The database was lost while the change was being saved: it may have been made. Read before you send it again.';

/**
 * What callers see of any thrown error: `service_unavailable` for a temporary failure of the database, `internal_error`
 * for anything unexpected. Used for requests, tools, jobs and runs.
 */
export function asAppError(error: unknown, unexpected = 'Something failed inside'): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof UnknownOutcomeError) {
    return new AppError('service_unavailable', unknownOutcome, { cause: error, details: { outcome: 'unknown' } });
  }
  const reason = passingReason(error);
  if (reason) return new AppError('service_unavailable', passing[reason], { cause: error });
  return new AppError('internal_error', unexpected, { cause: error });
}

function boundedDetails(details: ErrorBody['details']): ErrorBody['details'] {
  if (Array.isArray(details)) return details.slice(0, issuesMax).map(shortIssue);
  if (details === undefined || JSON.stringify(details).length <= detailsCharactersMax) return details;
  return Object.fromEntries(
    Object.entries(details).map(([key, value]) => [
      key,
      typeof value === 'string'
        ? shortened(value, issueCharactersMax)
        : Array.isArray(value)
          ? value
              .slice(0, issuesMax)
              .map((each) => (typeof each === 'string' ? shortened(each, issueCharactersMax) : each))
          : value,
    ]),
  );
}

function shortIssue({ path, message, ...rest }: Issue): Issue {
  return { ...rest, path: shortened(path, issueCharactersMax), message: shortened(message, issueCharactersMax) };
}

function shortened(text: string, charactersMax: number): string {
  return text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text;
}

/** The wire body of an error. The cause never shows. */
export function errorBody(error: AppError): ErrorBody & Record<string, unknown> {
  return {
    ok: false,
    error: error.code,
    message: error.message,
    ...(error.details === undefined ? {} : { details: error.details }),
    ...error.extra,
  };
}

/** 404 in the words existing clients know: which kind of thing, looked up by what. */
export function notFound(resource: string, identifier: string, byField = 'identifier'): AppError {
  return new AppError('not_found', `${resource} with ${byField} "${identifier}" was not found`, {
    details: { resource, byField, withValue: identifier },
  });
}

/** `invalid_request` with every issue; the message repeats the first so that it can be read without the list. */
export function invalidRequest(issues: readonly Issue[], what = 'The request'): AppError {
  const [first, ...rest] = issues;
  const head = first ? `${first.path || '(body)'}: ${first.message}` : 'unknown reason';
  const more = rest.length > 0 ? ` (and ${rest.length} more)` : '';
  return new AppError('invalid_request', `${what} is not valid. ${head}${more}`, {
    details: [...issues],
  });
}
