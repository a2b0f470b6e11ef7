import { type ErrorBody, type ErrorCode, errorCodes, type Issue } from '@portolan/contract';

/**
 * The one error that reaches callers. Three texts never mix: `code` for programs, `message` for people, `cause` for
 * logs. Anything thrown that is not an `AppError` becomes a bland `internal_error` with the request's id.
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
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = options.details;
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
  return new AppError('invalid_request', `${what} is not valid. ${head}${more}`, { details: [...issues] });
}
