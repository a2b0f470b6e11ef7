import { ApiError } from '@portolan/contract/client';
import type { Issue } from '@portolan/contract/errors';
import { CliError } from './cli-error.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';

/** Codes of a connection cut after it was made, or lost in a busy network: a retry may help. */
const cutCodes: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

/** What to do, in addition to the server's own message. */
const advice: Readonly<Record<string, string>> = {
  unauthorized: 'Check the client id and secret: --client-id and --client-secret, or the environment.',
  missing_permissions: 'Ask an administrator of the organization for the permission.',
  ai_not_allowed: 'Ask an administrator of the organization for the permission to use the assistant.',
  ai_budget_exceeded: 'An administrator of the organization can raise the budget.',
  ai_quota_exceeded: 'The quota is renewed with the month; the operator can raise it.',
  ai_rate_limited: 'Wait a few minutes.',
};

const operatorAdvice: typeof advice = {
  unauthorized: 'Set PORTOLAN_OPERATOR_TOKEN as the server has it.',
};

/** The system error code behind a failed `fetch`; undefined for other errors. */
export function networkErrorCode(error: unknown): string | undefined {
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'no answer in time';
  if (!(error instanceof TypeError)) return undefined;
  const { cause } = error as { cause?: { code?: unknown } };
  if (typeof cause?.code === 'string') return cause.code;
  return /fetch failed|terminated|network/i.test(error.message) ? 'connection failed' : undefined;
}

/** Whether the connection was cut, as opposed to refused, unresolved or untrusted. */
export function wasCut(error: unknown): boolean {
  return cutCodes.has(networkErrorCode(error) ?? '');
}

/** Whose permissions a call used; selects the advice if they are refused. */
export type Caller = 'client' | 'operator';

/** Converts an error of a server call into a CliError; undefined for an unexpected error. */
export function explainError(error: unknown, address: string, caller: Caller = 'client'): CliError | undefined {
  if (error instanceof CliError) return error;
  if (error instanceof ApiError) return explainAnswer(error, address, caller);
  if (error instanceof SyntaxError) return foreign(address, 'without JSON');
  const code = networkErrorCode(error);
  return code === undefined ? undefined : unreachable(code, address);
}

function explainAnswer({ status, body, message }: ApiError, address: string, caller: Caller): CliError {
  if (!body) return foreign(address, String(status));
  const hint = caller === 'operator' ? operatorAdvice[body.error] : advice[body.error];
  const sentence = /[.!?]$/.test(message) ? message : `${message}.`;
  const issues = Array.isArray(body.details) ? (body.details as Issue[]) : [];
  return new CliError(toExitCode(status), body.error, hint ? `${sentence} ${hint}` : sentence, issues);
}

/** The error for an address at which something other than Portolan answers. */
export function foreign(address: string, answered: string): CliError {
  const message = `${address} answered ${answered} and not as Portolan does. Check the address (--url).`;
  return new CliError(exitCodes.unreachable, 'unexpected_answer', message);
}

function toExitCode(status: number): ExitCode {
  if (status === 401 || status === 403) return exitCodes.denied;
  return status === 503 ? exitCodes.unreachable : exitCodes.failed;
}

function unreachable(code: string, address: string): CliError {
  const what =
    code === 'ECONNREFUSED'
      ? `No server listens at ${address}. Start it with "npm start", or name another with --url or PORTOLAN_URL.`
      : `${address} cannot be reached (${code}). Check the address (--url or PORTOLAN_URL) and the network.`;
  return new CliError(exitCodes.unreachable, 'server_unreachable', what);
}
