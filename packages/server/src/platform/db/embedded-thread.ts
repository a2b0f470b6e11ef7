import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { EmbeddedWorkerData, FromWorker, ToWorker } from './embedded-worker.ts';

/** The thread that runs PGlite, seen from the main thread. */
export interface EmbeddedThread {
  /** Rejects if the folder cannot be opened. */
  readonly ready: Promise<void>;
  /** Resolves with the reason once the thread has ended. */
  readonly stopped: Promise<string>;
  send(bytes: Uint8Array<ArrayBuffer>): void;
  /** Ends the thread immediately, like kill -9. */
  terminate(): Promise<unknown>;
  /** Closes the database and ends the thread, by force after ten seconds. */
  close(): Promise<void>;
}

const closeMs = 10_000;

export function startEmbeddedWorker(folder: string, onBytes: (bytes: Uint8Array<ArrayBuffer>) => void): EmbeddedThread {
  const worker = createWorker({ folder });
  let reason = 'its thread ended';
  const stopped = new Promise<string>((resolve) => worker.once('exit', () => resolve(reason)));
  const ready = new Promise<void>((resolve, reject) => {
    worker.on('message', (message: FromWorker) => {
      if (message instanceof Uint8Array) onBytes(message as Uint8Array<ArrayBuffer>);
      else if (message.kind === 'ready') resolve();
      else if (message.kind === 'failed') {
        reason = message.message;
        void worker.terminate();
      }
    });
    worker.once('error', (error) => {
      reason = error.message;
    });
    worker.once('exit', () => reject(new Error(`The embedded database cannot be opened: ${reason}`)));
  });
  ready.catch(() => undefined);

  return {
    ready,
    stopped,
    send: (bytes) => worker.postMessage(bytes satisfies ToWorker, [bytes.buffer]),
    terminate: () => worker.terminate(),
    async close() {
      worker.postMessage('close' satisfies ToWorker);
      await Promise.race([stopped, delay(closeMs, undefined, { ref: false })]);
      await worker.terminate();
    },
  };
}

/**
 * Deep expressions and deep JSON recurse inside the engine. With this much stack the engine's own limit is reached
 * first and ends the statement (54001); with the default of 4 MB the thread's limit is, and the engine hangs.
 */
const resourceLimits = { stackSizeMb: 32 };

/** TypeScript sources need a loader in the thread; in the bundle the worker is a file beside this one. */
function createWorker(workerData: EmbeddedWorkerData): Worker {
  if (!import.meta.url.endsWith('.ts')) {
    return new Worker(new URL('./embedded-worker.js', import.meta.url), { workerData, resourceLimits });
  }
  const source = new URL('./embedded-worker.ts', import.meta.url).href;
  // `resolve` finds the CommonJS twin, which cannot register from a worker.
  const loader = new URL('./index.mjs', pathToFileURL(createRequire(import.meta.url).resolve('tsx/esm/api'))).href;
  const start = `import('${loader}').then(({ register }) => { register(); return import('${source}'); })`;
  return new Worker(start, { eval: true, workerData, resourceLimits, execArgv: [] });
}
