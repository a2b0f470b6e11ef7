import type { LanguageModelV3CallOptions, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { AppError } from '../../../platform/errors.ts';
import type { AssistantModel } from './create-model.ts';
import { asProviderError, retryAfterOf } from './provider-error.ts';

/** A stream that has begun to say something: the parts up to its first content, and where the rest comes from. */
export interface ModelStream {
  readonly head: readonly LanguageModelV3StreamPart[];
  readonly reader: ReadableStreamDefaultReader<LanguageModelV3StreamPart>;
}

export interface OpenOptions {
  /** Pauses before the second, third … attempt; as many retries as there are pauses. */
  readonly retryDelaysMs: readonly number[];
  /** Its reason is what the call fails with when it aborts. */
  readonly signal: AbortSignal;
}

/** Longest wait that a provider may ask for before a retry is given up. */
const retryAfterSecondsMax = 10;

/**
 * Calls the model and waits for its first content. What fails before that point and may pass is tried again; after
 * it nothing is, since something was already said.
 *
 * @throws AppError
 */
export async function openModelStream(
  model: AssistantModel,
  options: LanguageModelV3CallOptions,
  { retryDelaysMs, signal }: OpenOptions,
): Promise<ModelStream> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await open(model, { ...options, abortSignal: signal }, signal);
    } catch (cause) {
      if (signal.aborted) throw reasonOf(signal);
      const error = asProviderError(cause, model);
      const delayMs = retryDelaysMs[attempt];
      const askedMs = (retryAfterOf(cause) ?? 0) * 1000;
      if (!error.isRetryable || delayMs === undefined || askedMs > retryAfterSecondsMax * 1000) throw error;
      await pause(Math.max(delayMs, askedMs), signal);
    }
  }
}

async function open(
  model: AssistantModel,
  options: LanguageModelV3CallOptions,
  signal: AbortSignal,
): Promise<ModelStream> {
  const { stream } = await unlessAborted(Promise.resolve(model.languageModel.doStream(options)), signal);
  const reader = stream.getReader();
  // cancelling is what ends a pending read, also of a model that pays no heed to the signal
  signal.addEventListener('abort', () => reader.cancel().catch(() => {}), { once: true });
  const head: LanguageModelV3StreamPart[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (signal.aborted) throw reasonOf(signal);
    if (done) throw new Error('The stream ended without content');
    if (value.type === 'error') {
      reader.cancel().catch(() => {});
      throw value.error;
    }
    head.push(value);
    if (isContent(value)) return { head, reader };
  }
}

function isContent(part: LanguageModelV3StreamPart): boolean {
  return part.type !== 'stream-start' && part.type !== 'response-metadata' && part.type !== 'raw';
}

/** Why a signal aborted, as an error with a code. */
export function reasonOf(signal: AbortSignal): AppError {
  return signal.reason instanceof AppError
    ? signal.reason
    : new AppError('invocation_cancelled', 'The invocation was cancelled');
}

function unlessAborted<T>(value: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abandon = (): void => reject(reasonOf(signal));
    if (signal.aborted) abandon();
    signal.addEventListener('abort', abandon, { once: true });
    value.then(resolve, reject).finally(() => signal.removeEventListener('abort', abandon));
  });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const wake = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      if (signal.aborted) reject(reasonOf(signal));
      else resolve();
    };
    const timer = setTimeout(wake, ms);
    signal.addEventListener('abort', wake, { once: true });
  });
}
