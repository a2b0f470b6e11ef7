import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart } from '@ai-sdk/provider';

/** What a model is asked. */
export type ModelRequest = Pick<
  LanguageModelV3CallOptions,
  'prompt' | 'tools' | 'toolChoice' | 'maxOutputTokens' | 'providerOptions'
>;

/** The parts of one answer, handed out as many at a time as have arrived. */
export interface PartStream {
  /** What arrived since the last call, at least one part; nothing once the answer has ended. */
  read(): Promise<readonly LanguageModelV3StreamPart[] | undefined>;
  /** Drops what is left and the connection with it; a pending `read` ends. */
  cancel(): void;
}

/**
 * Calls a model. When the signal aborts, the connection is closed, and what waits for the call or for a part of it
 * settles at once, in any way: whoever waits has to look at the signal.
 */
export type OpenPartStream = (request: ModelRequest, signal: AbortSignal) => Promise<PartStream>;

/** A model of a provider package as a source of parts, also one that pays no heed to the signal. */
export function partStreamsOf(languageModel: LanguageModelV3): OpenPartStream {
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
