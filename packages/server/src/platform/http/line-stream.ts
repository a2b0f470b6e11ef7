import type { ServerResponse } from 'node:http';
import { asAppError } from '../errors.ts';

/** An answer of JSON lines, written as they come: what came before a failure has been sent. */
export class LineStreamAnswer {
  readonly batches: AsyncIterable<readonly object[]>;

  constructor(batches: AsyncIterable<readonly object[]>) {
    this.batches = batches;
  }
}

/** A reader who takes nothing for this long is gone. */
const stalledMs = 120_000;

/**
 * Writes the lines and ends the answer. A failure becomes the last line, in the form of an error body; a reader that
 * leaves ends the source. Never rejects.
 */
export async function writeLineStream(
  response: ServerResponse,
  { batches }: LineStreamAnswer,
  mask: (value: object) => object,
): Promise<void> {
  response.writeHead(200, {
    'content-type': 'application/x-ndjson; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
  });
  try {
    for await (const batch of batches) {
      if (response.destroyed) return;
      const text = batch.map((line) => `${JSON.stringify(mask(line))}\n`).join('');
      if (text !== '' && !response.write(text)) await drained(response);
    }
  } catch (error) {
    const { code, message } = asAppError(error);
    if (!response.destroyed) response.write(`${JSON.stringify({ ok: false, error: code, message })}\n`);
  } finally {
    response.end();
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const patience = setTimeout(() => response.destroy(), stalledMs);
    const proceed = (): void => {
      clearTimeout(patience);
      response.off('drain', proceed).off('close', proceed);
      resolve();
    };
    response.on('drain', proceed).on('close', proceed);
  });
}
