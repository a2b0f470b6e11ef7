import { waitsForDatabase } from '../db/passing-failure.ts';
import { withDeadline } from './deadline.ts';
import type { JobLog } from './job-log.ts';

/** A record that a job handles, in any organization. */
interface OwnedRecord {
  readonly orgId: string;
}

/**
 * Handles records one after another, except those of organizations that take no changes. A failure or timeout of one is
 * logged and skipped, so that it holds up no other; the next round tries it again. The signal aborts on timeout.
 */
export type EachRecord = <R extends OwnedRecord>(
  records: Iterable<R> | AsyncIterable<R>,
  work: (record: R, signal: AbortSignal) => Promise<unknown>,
) => Promise<void>;

/** A record gets at least this part of the time of the first, so that ordinary ones are done in it. */
const leastPart = 8;

export interface RecordGuard {
  readonly log: Pick<JobLog, 'warn'>;
  /** Log fields of a skipped record. */
  readonly context: Readonly<Record<string, unknown>>;
  /** Organizations that are passed over; asked once for a list. */
  readonly frozen: () => Promise<ReadonlySet<string>>;
  /** Timeout of a record while none took longer; each that does halves that of the next ones, down to an eighth. */
  readonly recordMs: number;
  /** Ends the loop. */
  readonly stop: AbortSignal;
}

export function createEachRecord({ log, context, frozen, recordMs, stop }: RecordGuard): EachRecord {
  return async (records, work) => {
    let timeoutMs = recordMs;
    let passedOver: ReadonlySet<string> | undefined;
    for await (const record of records) {
      stop.throwIfAborted();
      passedOver ??= await frozen();
      if (passedOver.has(record.orgId)) continue;
      const late = `The record took longer than ${timeoutMs} ms`;
      let deadline: AbortSignal | undefined;
      try {
        await withDeadline({ timeoutMs, late, stop }, (signal) => {
          deadline = signal;
          return work(record, signal);
        });
      } catch (error) {
        if (stop.aborted || waitsForDatabase(error)) throw error;
        if (deadline?.aborted) timeoutMs = Math.max(timeoutMs / 2, recordMs / leastPart);
        log.warn({ ...context, record, error }, 'a job passed over a record that it could not handle');
      }
    }
  };
}

/** Reads a whole list in batches, each after the last item of the one before. */
export async function* inBatches<R>(
  size: number,
  read: (last: R | undefined, limit: number) => Promise<readonly R[]>,
): AsyncGenerator<R> {
  let batch: readonly R[];
  let last: R | undefined;
  do {
    batch = await read(last, size);
    yield* batch;
    last = batch.at(-1);
  } while (batch.length === size);
}
