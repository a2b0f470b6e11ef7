import { type DestinationStream, type Logger, pino } from 'pino';

interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: LoggedError;
}

/** Longest chain of causes in the log. */
const depthMax = 5;

/**
 * An error as its class, message and code, and its causes. Nothing else: drivers attach rows and requests, which may
 * hold secrets.
 */
function describeError(error: unknown, withStack: boolean, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { code } = error as { readonly code?: unknown };
  const hasCause = error.cause !== undefined && depth < depthMax;
  return {
    type: error.name === 'Error' ? error.constructor.name : error.name,
    message: error.message,
    ...(typeof code === 'string' || typeof code === 'number' ? { code: String(code) } : {}),
    ...(withStack && error.stack !== undefined ? { stack: error.stack } : {}),
    ...(hasCause ? { cause: describeError(error.cause, withStack, depth + 1) } : {}),
  };
}

/**
 * The log of the process. `err` is a defect or a refusal of a request and has its stack; `error` is what somebody reports
 * who goes on, and has one at `debug` and below: without this pino writes it as `{}`.
 */
export function createLog(level: string, destination: DestinationStream): Logger {
  const isDetailed = level === 'debug' || level === 'trace';
  return pino(
    {
      level,
      serializers: {
        err: (error: unknown) => describeError(error, true),
        error: (error: unknown) => describeError(error, isDetailed),
      },
    },
    destination,
  );
}
