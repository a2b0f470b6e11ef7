import type { LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { AppError } from '../../../platform/errors.ts';
import type { AssistantModel } from './create-model.ts';
import type { ModelRequest, PartStream } from './part-stream.ts';
import { asProviderError, parseRetryAfter } from './provider-error.ts';

/** A stream with its first content, and the source of the rest. */
export interface ModelStream {
  readonly head: readonly LanguageModelV3StreamPart[];
  readonly stream: PartStream;
}

export interface OpenOptions {
  /** Pauses before each retry; their number is the number of retries. */
  readonly retryDelaysMs: readonly number[];
  /** Longest wait a provider may ask for before the call fails. */
  readonly retryAfterSecondsMax: number;
  /** Its reason becomes the error of the call. */
  readonly signal: AbortSignal;
}

/**
 * Calls the model and waits for its first content. Temporary failures before that are retried; afterwards nothing is,
 * because text was already emitted.
 * @throws AppError
 */
export async function openModelStream(
  model: AssistantModel,
  request: ModelRequest,
  { retryDelaysMs, retryAfterSecondsMax, signal }: OpenOptions,
): Promise<ModelStream> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await open(model, request, signal);
    } catch (cause) {
      if (signal.aborted) throw abortReason(signal);
      const error = asProviderError(cause, model);
      const delayMs = retryDelaysMs[attempt];
      const askedMs = (parseRetryAfter(cause) ?? 0) * 1000;
      if (!error.isRetryable || delayMs === undefined || askedMs > retryAfterSecondsMax * 1000) throw error;
      await pause(Math.max(delayMs, askedMs), signal);
    }
  }
}

/** Empty parts a stream may start with. */
const emptyPartsMax = 10_000;

async function open(model: AssistantModel, request: ModelRequest, signal: AbortSignal): Promise<ModelStream> {
  const stream = await model.openStream(request, signal);
  const head: LanguageModelV3StreamPart[] = [];
  let hasContent = false;
  while (!hasContent) {
    const parts = await stream.read();
    if (signal.aborted) throw abortReason(signal);
    if (!parts) throw new Error('The stream ended without content');
    for (const part of parts) {
      if (part.type === 'error' && !hasContent) {
        stream.cancel();
        throw part.error;
      }
      hasContent ||= isContent(part);
      head.push(part);
    }
    if (!hasContent && head.length > emptyPartsMax) {
      stream.cancel();
      throw new Error('The stream goes on without content');
    }
  }
  return { head, stream };
}

function isContent(part: LanguageModelV3StreamPart): boolean {
  return part.type !== 'stream-start' && part.type !== 'response-metadata' && part.type !== 'raw';
}

export function abortReason(signal: AbortSignal): AppError {
  return signal.reason instanceof AppError
    ? signal.reason
    : new AppError('invocation_cancelled', 'The invocation was cancelled');
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const wake = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      if (signal.aborted) reject(abortReason(signal));
      else resolve();
    };
    const timer = setTimeout(wake, ms);
    signal.addEventListener('abort', wake, { once: true });
  });
}
