import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart } from '@ai-sdk/provider';

export type ModelRequest = Pick<
  LanguageModelV3CallOptions,
  'prompt' | 'tools' | 'toolChoice' | 'maxOutputTokens' | 'providerOptions'
>;

/** The parts of one answer, in batches as they arrive. */
export interface PartStream {
  /** The parts since the last call, at least one; undefined at the end. */
  read(): Promise<readonly LanguageModelV3StreamPart[] | undefined>;
  /** Drops the rest and the connection; a pending `read` ends. */
  cancel(): void;
}

/**
 * Calls a model. Aborting the signal closes the connection and settles pending calls and reads with any result: callers
 * must check the signal.
 */
export type OpenPartStream = (request: ModelRequest, signal: AbortSignal) => Promise<PartStream>;

/** Adapts a model of a provider package, also one that ignores the signal. */
export function toPartStream(languageModel: LanguageModelV3): OpenPartStream {
  return async (request, signal) => {
    const { stream } = await unlessAborted(languageModel.doStream({ ...request, abortSignal: signal }), signal);
    const reader = stream.getReader();
    const cancel = (): void => void reader.cancel().catch(() => {});
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
    return {
      async read() {
        const { value } = await reader.read();
        return value && [value];
      },
      cancel,
    };
  };
}

function unlessAborted<T>(value: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abandon = (): void => reject(signal.reason);
    const settle = (): void => signal.removeEventListener('abort', abandon);
    if (signal.aborted) abandon();
    signal.addEventListener('abort', abandon, { once: true });
    value.then(
      (result) => {
        settle();
        resolve(result);
      },
      (error: unknown) => {
        settle();
        reject(error);
      },
    );
  });
}
