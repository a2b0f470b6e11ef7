import type { ServerResponse } from 'node:http';
import { encodeSseEvent, firstHeartbeat, heartbeat, type SseEvent } from './sse.ts';

export interface EventStreamOptions {
  /** Sent beside the headers of every event stream. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Longest silence before a comment is sent. */
  readonly heartbeatMs?: number;
  /** How long a reader may take nothing before its connection is closed; it can resume. */
  readonly stalledMs?: number;
  /** Events to send when the source fails; without it the stream just ends. */
  readonly onFailure?: (error: unknown) => readonly SseEvent[];
}

/** How a stream ended: all was written, the reader left (or stalled), or the source failed. */
export type StreamEnding = 'finished' | 'disconnected' | 'failed';

/** Under the 15 s that proxies are known to bear, with room for a late timer. */
const heartbeatMsDefault = 12_000;
const stalledMsDefault = 120_000;

/**
 * Writes an event stream and ends it: after the last batch, after the events of `onFailure`, or when the reader is
 * gone, whichever comes first. The next batch is asked for only when the connection took the previous one, so a slow
 * reader costs one batch of memory. `source` gets a signal that aborts when the reader leaves. Never rejects.
 */
export async function writeEventStream(
  response: ServerResponse,
  source: (signal: AbortSignal) => AsyncIterable<readonly SseEvent[]>,
  options: EventStreamOptions = {},
): Promise<StreamEnding> {
  const leave = new AbortController();
  let onGone: (() => void) | undefined;
  const disconnected = (): void => {
    leave.abort();
    onGone?.();
  };
  response.on('close', disconnected);
  response.on('error', disconnected);
  if (response.destroyed || response.socket?.destroyed) disconnected();

  const drained = (): Promise<void> =>
    new Promise((resolve) => {
      const patience = setTimeout(() => response.destroy(), options.stalledMs ?? stalledMsDefault);
      const proceed = (): void => {
        clearTimeout(patience);
        response.off('drain', proceed);
        response.off('close', proceed);
        resolve();
      };
      response.on('drain', proceed);
      response.on('close', proceed);
    });
  /** Returns a promise only if the connection did not take everything. */
  const write = (events: readonly SseEvent[]): Promise<void> | undefined => {
    if (events.length === 0 || leave.signal.aborted) return undefined;
    beat.refresh();
    let bytes = '';
    for (const event of events) bytes += encodeSseEvent(event);
    return response.write(bytes) ? undefined : drained();
  };
  /** Writes batch after batch until the source ends or the reader leaves. */
  const writeAll = (batches: AsyncIterator<readonly SseEvent[]>): Promise<void> =>
    new Promise((resolve, reject) => {
      if (leave.signal.aborted) return resolve();
      onGone = resolve;
      const ask = (): void => void batches.next().then(take, reject);
      const take = (next: IteratorResult<readonly SseEvent[]>): void => {
        if (leave.signal.aborted) return;
        if (next.done) return resolve();
        try {
          const full = write(next.value);
          if (full) full.then(ask, reject);
          else ask();
        } catch (error) {
          reject(error);
        }
      };
      ask();
    });

  let comment = firstHeartbeat;
  const beat = setInterval(() => {
    if (response.writableNeedDrain || leave.signal.aborted) return;
    response.write(comment);
    comment = heartbeat;
  }, options.heartbeatMs ?? heartbeatMsDefault);
  const batches = source(leave.signal)[Symbol.asyncIterator]();
  try {
    openStream(response, options.headers);
    await writeAll(batches);
    return leave.signal.aborted ? 'disconnected' : 'finished';
  } catch (error) {
    if (leave.signal.aborted) return 'disconnected';
    await write(options.onFailure?.(error) ?? []);
    return 'failed';
  } finally {
    clearInterval(beat);
    const wasGone = leave.signal.aborted;
    response.off('close', disconnected);
    response.off('error', disconnected);
    if (wasGone) {
      response.on('error', () => {});
      leaveSource(batches);
    } else response.end();
  }
}

/** A source waiting inside `next` answers `return` later; that is not awaited, and its failure is ignored. */
function leaveSource(batches: AsyncIterator<unknown>): void {
  batches.return?.().catch(() => {});
}

function openStream(response: ServerResponse, headers: EventStreamOptions['headers']): void {
  response.socket?.setNoDelay(true);
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    ...headers,
  });
  response.flushHeaders();
}
