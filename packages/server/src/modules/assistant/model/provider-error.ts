import { APICallError, LoadAPIKeyError } from '@ai-sdk/provider';
import { AppError } from '../../../platform/errors.ts';
import { OutgoingFailure } from '../../../platform/outgoing/outgoing.ts';
import { createSecretScope, mask } from '../../../platform/secrets/secret-scope.ts';

/** Facts that an error message may name, and secrets that it must not. */
export interface ProviderErrorContext {
  readonly provider: string;
  readonly secrets: readonly string[];
}

/** Includes redirects: following one would send the prompt elsewhere. */
const refusals = new Set([301, 302, 303, 307, 308, 400, 401, 403, 404, 405, 413, 415, 422]);

/**
 * Maps failures of model calls to `llm_provider_unavailable`, `llm_provider_refused` or `llm_provider_timeout`. The
 * message names provider and status only; the provider's own text goes to the cause, truncated, without prompt and
 * keys.
 */
export function asProviderError(error: unknown, context: ProviderErrorContext): AppError {
  if (error instanceof AppError) return error;
  const { provider } = context;
  const cause = bareCause(error, context.secrets);
  if (LoadAPIKeyError.isInstance(error)) {
    return new AppError('llm_provider_refused', `The model provider ${provider} has no API key`, { cause });
  }
  if (error instanceof OutgoingFailure && error.kind === 'refused') {
    // from our own guard: names the host only
    const message = `The model provider ${provider} may not be reached: ${error.message}`;
    return new AppError('llm_provider_refused', message, { cause });
  }
  const status = findStatus(error);
  if (status === undefined) {
    return new AppError(
      'llm_provider_unavailable',
      `The model provider ${provider} could not be reached or broke off`,
      {
        cause,
      },
    );
  }
  if (refusals.has(status)) {
    const hint = status === 401 || status === 403 ? 'check its API key' : 'check the model name and the address';
    return new AppError(
      'llm_provider_refused',
      `The model provider ${provider} refused the request (${status}): ${hint}`,
      {
        cause,
      },
    );
  }
  if (status === 408 || status === 504) {
    return new AppError('llm_provider_timeout', `The model provider ${provider} did not answer in time (${status})`, {
      cause,
    });
  }
  const retryAfterSeconds = parseRetryAfter(error);
  const what = status === 429 ? 'is overloaded or limits this account' : 'failed';
  return new AppError('llm_provider_unavailable', `The model provider ${provider} ${what} (${status})`, {
    cause,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

/** Seconds from `retry-after`, as a number or a date. */
export function parseRetryAfter(error: unknown, now: number = Date.now()): number | undefined {
  if (!APICallError.isInstance(error)) return undefined;
  const header = error.responseHeaders?.['retry-after'];
  if (!header) return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, Math.ceil(seconds));
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000));
}

/** The status of the response, or the kind of error inside a stream that began with 200. */
function findStatus(error: unknown): number | undefined {
  if (APICallError.isInstance(error)) return error.statusCode;
  const kind = readErrorKind(error);
  if (!kind) return undefined;
  if (/overloaded/.test(kind)) return 529;
  if (/rate.?limit|quota/.test(kind)) return 429;
  if (/authentication|permission|invalid_api_key/.test(kind)) return 401;
  if (/invalid_request|not_found|context_length/.test(kind)) return 400;
  return undefined;
}

function readErrorKind(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { type, code, error: inner } = error as { type?: unknown; code?: unknown; error?: unknown };
  if (typeof inner === 'object') return readErrorKind(inner);
  return [type, code].filter((part) => typeof part === 'string').join(' ') || undefined;
}

const causeCharactersMax = 2000;

/** Errors of provider packages contain the request, which must not be logged. */
function bareCause(error: unknown, secrets: readonly string[]): Error {
  const words = error instanceof Error ? error.message : typeof error === 'string' ? error : (safeJson(error) ?? '');
  const body = APICallError.isInstance(error) && error.responseBody ? ` · ${error.responseBody}` : '';
  const inner = error instanceof Error && error.cause instanceof Error ? ` · ${error.cause.message}` : '';
  const opened = createSecretScope();
  for (const secret of secrets) opened.add(secret);
  // masked before truncation, or the beginning of a key would remain
  const text = opened
    .maskText(`${words}${inner}${body}`.slice(0, 16 * causeCharactersMax))
    .slice(0, causeCharactersMax);
  const cause = new Error(text.replace(/\b(sk|key)-[A-Za-z0-9_*-]{6,}/g, mask));
  cause.name = error instanceof Error ? error.name : 'ProviderError';
  return cause;
}

function safeJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
