import { waitsForDatabase } from '../db/passing-failure.ts';
import { withDeadline } from './deadline.ts';
import type { JobLog } from './run-job.ts';

/** Something that a job does the same to in every organization. */
interface OwnedRecord {
  readonly orgId: string;
}

/**
 * Does the same to each record, one after another. One that fails, or takes too long, is told in the log and passed over,
 * so that it holds up no other; the next round comes to it again. Its signal aborts when its time is up.
 */
export type EachRecord = <R extends OwnedRecord>(
  records: Iterable<R> | AsyncIterable<R>,
  work: (record: R, signal: AbortSignal) => Promise<unknown>,
) => Promise<void>;

export interface RecordGuard {
  readonly log: Pick<JobLog, 'warn'>;
  /** Said with each record that is passed over. */
  readonly context: Readonly<Record<string, unknown>>;
  /** The longest that one record may take. */
  readonly recordMs: number;
  /** Ends the walk. */
  readonly stop: AbortSignal;
}

export function createEachRecord({ log, context, recordMs, stop }: RecordGuard): EachRecord {
  const deadline = { timeoutMs: recordMs, late: `The record took longer than ${recordMs} ms`, stop };
  return async (records, work) => {
    for await (const record of records) {
      stop.throwIfAborted();
      try {
        await withDeadline(deadline, (signal) => work(record, signal));
      } catch (error) {
        if (stop.aborted || waitsForDatabase(error)) throw error;
        log.warn({ ...context, record, error }, 'a job passed over a record that it could not handle');
      }
    }
  };
}

/** Everything that a list holds, read some at a time: each time what comes after the last of those before. */
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
