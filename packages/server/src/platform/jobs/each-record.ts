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

export interface RecordGuard {
  readonly log: Pick<JobLog, 'warn'>;
  /** Log fields of a skipped record. */
  readonly context: Readonly<Record<string, unknown>>;
  /** Organizations that are passed over; asked once for a list. */
  readonly frozen: () => Promise<ReadonlySet<string>>;
  /** Timeout per record. */
  readonly recordMs: number;
  /** Ends the loop. */
  readonly stop: AbortSignal;
}

export function createEachRecord({ log, context, frozen, recordMs, stop }: RecordGuard): EachRecord {
  const deadline = { timeoutMs: recordMs, late: `The record took longer than ${recordMs} ms`, stop };
  return async (records, work) => {
    let passedOver: ReadonlySet<string> | undefined;
    for await (const record of records) {
      stop.throwIfAborted();
      passedOver ??= await frozen();
      if (passedOver.has(record.orgId)) continue;
      try {
        await withDeadline(deadline, (signal) => work(record, signal));
      } catch (error) {
        if (stop.aborted || waitsForDatabase(error)) throw error;
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
