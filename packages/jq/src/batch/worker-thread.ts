import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import type { WorkAnswer, WorkRequest } from './messages.ts';

/** The outcome of a request. `lost` means the thread is gone: terminated at the deadline, or out of memory. */
export type WorkOutcome =
  | { readonly kind: 'answered'; readonly answer: WorkAnswer }
  | { readonly kind: 'lost'; readonly reason: 'deadline' | 'memory' | 'crash' };

export interface ThreadOptions {
  readonly heapMegabytesMax: number;
  readonly stackMegabytes: number;
  /** Entry of the thread; default the one next to this package's build or source. */
  readonly entry: URL;
}

/**
 * Starts the entry. The source is TypeScript, which Node 20 reads only through a loader, and a loader from the command
 * line does not apply to threads; so the thread registers it first. Built packages start directly.
 */
function startWorker(entry: URL, options: WorkerOptions): Worker {
  if (!entry.pathname.endsWith('.ts')) return new Worker(entry, options);
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx/esm/api')).href.replace('.cjs', '.mjs');
  const start = `import('${loader}').then(({ register }) => { register(); return import('${entry.href}'); });`;
  return new Worker(start, { ...options, eval: true });
}

/** One thread with at most one pending request; after a loss the next request starts a new thread. */
export class WorkerThread {
  private readonly options: ThreadOptions;
  private worker: Worker | undefined;
  private ready: Promise<void> | undefined;

  constructor(options: ThreadOptions) {
    this.options = options;
  }

  /** Starts the thread if needed and waits until it listens. Throws if it cannot start. */
  start(): Promise<void> {
    if (this.ready !== undefined) return this.ready;
    const { entry, heapMegabytesMax, stackMegabytes } = this.options;
    const worker = startWorker(entry, {
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytesMax, stackSizeMb: stackMegabytes },
      stdout: true,
      stderr: true,
    });
    this.worker = worker;
    worker.unref();
    this.ready = new Promise((resolve, reject) => {
      worker.once('message', () => resolve());
      worker.once('error', reject);
    });
    this.ready.catch(() => this.forget(worker));
    worker.on('error', () => this.forget(worker));
    worker.on('exit', () => this.forget(worker));
    return this.ready;
  }

  /** Sends a request and waits for its answer, at most until `deadlineMs` after the thread was ready. */
  async send(request: WorkRequest, deadlineMs: number): Promise<WorkOutcome> {
    await this.start();
    const worker = this.worker!;
    worker.ref();
    return new Promise((resolve) => {
      const finish = (outcome: WorkOutcome): void => {
        clearTimeout(timer);
        worker.off('message', onMessage);
        worker.off('error', onError);
        worker.off('exit', onExit);
        worker.unref();
        resolve(outcome);
      };
      const onMessage = (answer: WorkAnswer): void => finish({ kind: 'answered', answer });
      let isOver = false;
      const onExit = (): void => finish({ kind: 'lost', reason: isOver ? 'deadline' : 'crash' });
      const onError = (error: Error & { code?: string }): void =>
        finish({ kind: 'lost', reason: error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'crash' });
      const timer = setTimeout(() => {
        isOver = true;
        void this.stop();
      }, deadlineMs);
      worker.on('message', onMessage);
      worker.on('error', onError);
      worker.on('exit', onExit);
      worker.postMessage(request);
    });
  }

  async stop(): Promise<void> {
    const { worker } = this;
    if (worker === undefined) return;
    this.forget(worker);
    await worker.terminate();
  }

  private forget(worker: Worker): void {
    if (this.worker !== worker) return;
    this.worker = undefined;
    this.ready = undefined;
  }
}
