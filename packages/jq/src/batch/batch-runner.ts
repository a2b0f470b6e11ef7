import type { Budget } from '../budget.ts';
import { LruCache } from '../lru-cache.ts';
import type { BatchItem, BatchResult } from './messages.ts';
import { WorkerThread, type WorkOutcome } from './worker-thread.ts';

export interface BatchRunnerOptions {
  /** Threads, 1 or 2. Default 1. */
  readonly workers?: 1 | 2;
  readonly budget?: Partial<Budget>;
  /** Only the first output of each item is computed, as the platform's places for JQ need. Default false. */
  readonly firstOnly?: boolean;
  /** Heap limit of one thread; a thread that exceeds it is lost and replaced. Default 256. */
  readonly heapMegabytesMax?: number;
  /** Entry of the threads, for bundles that move it. Default the file this package ships. */
  readonly workerEntry?: URL;
}

export interface BatchOptions {
  /** For the whole batch, from the moment a thread starts it; default 5,000. A thread that exceeds it is terminated. */
  readonly deadlineMs?: number;
}

/**
 * Evaluates batches in threads, so that no expression can block or crash this process. An item that exceeds the
 * deadline or the memory fails alone: the rest of its batch is evaluated again without it.
 */
export interface BatchRunner {
  /** One result per item, in order. Never rejects because of an item. Rejects after `close`. */
  evaluate(items: readonly BatchItem[], options?: BatchOptions): Promise<BatchResult[]>;
  /** Stops the threads; pending batches fail. */
  close(): Promise<void>;
}

const defaultDeadlineMs = 5_000;
const stackMegabytes = 4;
const culpritsKept = 200;

/** The built package has `worker.js` beside every entry; the source has it one folder up. */
function defaultEntry(): URL {
  return import.meta.url.endsWith('.ts')
    ? new URL('../worker.ts', import.meta.url)
    : new URL('./worker.js', import.meta.url);
}

export function createBatchRunner(options: BatchRunnerOptions = {}): BatchRunner {
  const entry = options.workerEntry ?? defaultEntry();
  const { heapMegabytesMax = 256, firstOnly = false, budget = {} } = options;
  const idle = Array.from(
    { length: options.workers ?? 1 },
    () => new WorkerThread({ entry, heapMegabytesMax, stackMegabytes }),
  );
  const threads = [...idle];
  const waiting: ((thread: WorkerThread) => void)[] = [];
  /** Expressions that cost a thread before; their items are evaluated alone, after the others. */
  const culprits = new LruCache<string, true>(culpritsKept);
  let nextId = 1;
  let isClosed = false;

  const acquire = (): Promise<WorkerThread> => {
    const thread = idle.pop();
    return thread === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(thread);
  };
  const release = (thread: WorkerThread): void => {
    const next = waiting.shift();
    if (next === undefined) idle.push(thread);
    else next(thread);
  };

  const send = async (
    items: readonly BatchItem[],
    deadlineMs: number,
  ): Promise<{ outcome: WorkOutcome; done: number }> => {
    const thread = await acquire();
    try {
      if (isClosed) throw new Error('the batch runner is closed');
      const progress = new Int32Array(new SharedArrayBuffer(4));
      const outcome = await thread.send({ id: nextId++, items, budget, firstOnly, progress }, deadlineMs);
      return { outcome, done: Atomics.load(progress, 0) };
    } finally {
      release(thread);
    }
  };

  /** Evaluates items; if the thread is lost, the current item fails and the others are retried. */
  const evaluateAll = async (items: readonly BatchItem[], deadlineMs: number): Promise<BatchResult[]> => {
    if (items.length === 0) return [];
    const { outcome, done } = await send(items, deadlineMs);
    if (outcome.kind === 'answered') return [...outcome.answer.results];
    if (isClosed) throw new Error('the batch runner is closed');
    if (items.length === 1) return [lostResult(outcome.reason)];
    const culprit = Math.min(done, items.length - 1);
    const [before, alone, after] = [
      items.slice(0, culprit),
      items.slice(culprit, culprit + 1),
      items.slice(culprit + 1),
    ];
    // In a slow batch the current item may be innocent, so it gets a thread and a full deadline of its own.
    const verdicts = await evaluateAll(alone, deadlineMs);
    if (!verdicts[0]!.ok) culprits.set(batchKey(alone[0]!), true);
    return [...(await evaluateAll(before, deadlineMs)), ...verdicts, ...(await evaluateAll(after, deadlineMs))];
  };

  return {
    async evaluate(items, { deadlineMs = defaultDeadlineMs } = {}) {
      if (isClosed) throw new Error('the batch runner is closed');
      const results: BatchResult[] = new Array(items.length);
      const isSuspect = items.map((item) => culprits.get(batchKey(item)) === true);
      const common = items.flatMap((_, at) => (isSuspect[at] ? [] : [at]));
      const answers = await evaluateAll(
        common.map((at) => items[at]!),
        deadlineMs,
      );
      for (const [order, at] of common.entries()) results[at] = answers[order]!;
      for (const [at, suspect] of isSuspect.entries()) {
        if (suspect) results[at] = (await evaluateAll([items[at]!], deadlineMs))[0]!;
      }
      return results;
    },
    async close() {
      isClosed = true;
      await Promise.all(threads.map((thread) => thread.stop()));
    },
  };
}

/** Keyed by expression only: expressions are the usual cause, and inputs are too many to remember. */
function batchKey(item: BatchItem): string {
  return item.expression;
}

function lostResult(reason: 'deadline' | 'memory' | 'crash'): BatchResult {
  if (reason === 'crash') return { ok: false, error: { kind: 'internal', message: 'the evaluating thread ended' } };
  return { ok: false, error: { kind: 'budget', limit: reason, message: `limit reached: ${reason}` } };
}
