import type { Readable } from 'node:stream';
import type { LanguageModelV3StreamPart } from '@ai-sdk/provider';
import type { PartStream } from '../part-stream.ts';
import { createEventDataReader } from './event-data.ts';
import { createChunkReader } from './read-chunks.ts';

/** Stops reading the connection at this many unread parts. */
const unreadPartsMax = 4_096;
/** How long a server may take to end a response after `[DONE]`. */
const endMs = 1_000;

/**
 * The parts of a streamed Chat Completions response. Each socket read gives one array. Ends with `[DONE]` or with the
 * response; a broken connection makes `read` reject.
 */
export function partsOfResponse(response: Readable): PartStream {
  const chunks = createChunkReader();
  let parts: LanguageModelV3StreamPart[] = [{ type: 'stream-start', warnings: [] }];
  let isEnded = false;
  let failure: unknown;
  let wake: (() => void) | undefined;

  const settle = (): void => {
    wake?.();
    wake = undefined;
  };
  const end = (): void => {
    if (isEnded) return;
    isEnded = true;
    chunks.end(parts);
    settle();
  };
  const fail = (error: unknown): void => {
    if (isEnded) return;
    isEnded = true;
    failure = error;
    settle();
  };
  const events = createEventDataReader((data) => chunks.push(data, parts));

  response.setEncoding('utf8');
  response.on('data', (text: string) => {
    if (isEnded) return;
    try {
      events.push(text);
    } catch (error) {
      fail(error);
      response.destroy();
      return;
    }
    if (chunks.isDone) {
      end();
      // the connection is reused if the server ends the response in time
      const patience = setTimeout(() => response.destroy(), endMs).unref();
      response.once('close', () => clearTimeout(patience));
    } else if (parts.length > 0) {
      if (parts.length > unreadPartsMax) response.pause();
      settle();
    }
  });
  response.on('end', end);
  response.on('error', fail);
  response.on('close', () => fail(new Error('The connection was closed in the middle of an answer')));

  return {
    async read() {
      for (;;) {
        if (parts.length > 0) {
          const batch = parts;
          parts = [];
          if (response.isPaused()) response.resume();
          return batch;
        }
        if (failure !== undefined) throw failure;
        if (isEnded) return undefined;
        // yields so that the rest of this turn goes into the same array
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    cancel() {
      isEnded = true;
      parts = [];
      response.destroy();
      settle();
    },
  };
}
