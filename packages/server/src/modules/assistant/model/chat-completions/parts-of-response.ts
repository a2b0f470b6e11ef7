import type { Readable } from 'node:stream';
import type { LanguageModelV3StreamPart } from '@ai-sdk/provider';
import type { PartStream } from '../part-stream.ts';
import { createEventDataReader } from './event-data.ts';
import { createChunkReader } from './read-chunks.ts';

/** So many unread parts stop the reading of the connection. */
const unreadPartsMax = 4_096;
/** How long a server may take to end a response after it said that nothing more comes. */
const endMs = 1_000;

/**
 * The parts of a response that is a Chat Completions stream. What one read of the socket brought comes as one array.
 * The answer ends with `[DONE]`, or with the response; a connection that breaks makes `read` reject.
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
      // the connection is kept if the server ends the response in its own time
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
        // resolved without a value: what else this turn of the event loop brings goes into the same array
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
