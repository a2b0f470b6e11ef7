import type { Metric } from 'prom-client';
import type { z } from 'zod';
import type { Admission } from '../admission/admission.ts';
import type { Clock } from '../clock.ts';
import type { Database, Tx } from '../db/database.ts';
import { newId } from '../ids.ts';
import { formatTraceparent } from '../telemetry/span-exporter.ts';
import type { Tracing } from '../telemetry/tracing.ts';
import { countOthers, insertJob, insertJobs, notifyWorkers } from './job.store.ts';
import type { JobDeclaration, JobHead } from './job.ts';
import type { JobLog } from './job-log.ts';
import { createJobMetrics } from './job-metrics.ts';
import { createThrottle } from './throttle.ts';
import { createWorker, type DrainResult, type Worker } from './worker.ts';

/** Background work: enqueued with the state that makes it necessary, run by whichever replica takes it. */
export interface Jobs {
  readonly metrics: readonly Metric[];
  /** @throws Error when a name is declared twice */
  register(declarations: readonly JobDeclaration[]): void;
  /**
   * Adds a job in the caller's transaction: it exists exactly if that is committed, and a worker is woken then.
   * @throws Error for a job that is not registered; ZodError for an input that its schema refuses
   */
  enqueue<Input extends z.ZodType>(
    tx: Tx,
    orgId: string,
    job: JobHead<Input>,
    input: z.input<Input>,
    options?: EnqueueOptions,
  ): Promise<void>;
  /** Adds many jobs of one kind, of any organizations, by one statement. */
  enqueueAll<Input extends z.ZodType>(
    tx: Tx,
    job: JobHead<Input>,
    inputs: readonly { readonly orgId: string; readonly input: z.input<Input> }[],
  ): Promise<void>;
  /** Starts working. Unfinished jobs without a declaration are reported. */
  start(options?: StartOptions): Promise<void>;
  /** Takes no more jobs until `resume`; those that run go on. */
  pause(): void;
  resume(): void;
  /**
   * Takes no more jobs and waits for the running ones, then aborts those that are left and gives them back. Resolves
   * at the latest shortly after `waitMs`, and at once if nothing runs.
   */
  stop(waitMs: number): Promise<void>;
  /** For tests: runs due jobs and schedules one by one until none is due. */
  drain(): Promise<DrainResult>;
}

export interface EnqueueOptions {
  readonly runAt?: Date;
}

export interface StartOptions {
  /** Jobs that run at once in this process. */
  readonly concurrency?: number;
}

export interface JobsPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: JobLog;
  /** Limits jobs beside interactive work; without it only `concurrency` does. */
  readonly admission?: Pick<Admission, 'roomForJobs' | 'takeForJob'> | undefined;
  /** Each run of a job is a span, which links to the one that the job was enqueued in. */
  readonly tracing?: Tracing | undefined;
}

const channel = 'jobs';
/** The embedded engine has one connection, which requests need too. */
const concurrencyOf = { embedded: 2, postgres: 10 } as const;
const wakeMs = { embedded: 25, postgres: 10 } as const;
/** NOTIFY makes commits wait for one another, so it is sent apart from the work and not for every job. */
const notifyMs = 100;

export function createJobs({ database, clock, log, admission, tracing }: JobsPorts): Jobs {
  const declarations = new Map<string, JobDeclaration>();
  const { kind } = database.engine;
  const measured = createJobMetrics();
  const own = newId('p_');
  let worker: Worker | undefined;
  let stopListening: (() => Promise<void>) | undefined;

  const wake = createThrottle(wakeMs[kind], () => worker?.wake());
  const notify = createThrottle(notifyMs, () => {
    notifyWorkers(database, channel, own).catch((error: unknown) => {
      log.warn({ error }, 'other replicas could not be told of new jobs; they find them within a second');
    });
  });
  const announce = (): void => {
    wake.ask();
    if (kind === 'postgres') notify.ask();
  };

  /** What the run of a job that is enqueued here links to. */
  const traceparent = (): string | undefined => {
    const context = tracing?.current();
    return context && formatTraceparent(context);
  };

  return {
    metrics: measured.metrics,

    register(added) {
      for (const declaration of added) {
        if (declarations.has(declaration.name)) throw new Error(`The job ${declaration.name} is declared twice`);
        declarations.set(declaration.name, declaration);
      }
    },

    async enqueue(tx, orgId, job, input, { runAt } = {}) {
      if (!declarations.has(job.name)) throw new Error(`The job ${job.name} is not registered`);
      const parsed = job.input.parse(input);
      const now = clock.now();
      insertJob(tx, {
        orgId,
        id: newId('j_'),
        name: job.name,
        input,
        dedupeKey: job.dedupeBy?.(parsed),
        attemptsMax: job.attempts,
        runAt: runAt ?? now,
        now,
        traceparent: traceparent(),
      });
      tx.afterCommit(announce);
    },

    async enqueueAll(tx, job, inputs) {
      if (!declarations.has(job.name)) throw new Error(`The job ${job.name} is not registered`);
      if (inputs.length === 0) return;
      const now = clock.now();
      await insertJobs(tx, {
        name: job.name,
        attemptsMax: job.attempts,
        now,
        traceparent: traceparent(),
        jobs: inputs.map(({ orgId, input }) => ({
          orgId,
          id: newId('j_'),
          input,
          dedupeKey: job.dedupeBy?.(job.input.parse(input)) ?? null,
        })),
      });
      tx.afterCommit(announce);
    },

    async start({ concurrency = concurrencyOf[kind] } = {}) {
      if (worker) throw new Error('The worker has been started already');
      for (const other of await countOthers(database, [...declarations.keys()])) {
        log.error(other, 'queued jobs have no handler in this release');
      }
      const started = createWorker({ database, clock, log, measured, declarations, concurrency, admission, tracing });
      worker = started;
      if (kind === 'postgres') {
        const wakeWorker = (): void => wake.ask();
        // whoever told was woken before it told
        const hear = (from: string): void => {
          if (from !== own) wake.ask();
        };
        stopListening = await database.engine.listen(channel, hear, wakeWorker);
      }
      await started.start();
    },

    pause: () => worker?.pause(),
    resume: () => worker?.resume(),

    async stop(waitMs) {
      wake.stop();
      notify.stop();
      await stopListening?.();
      await worker?.stop(waitMs);
    },

    drain: () => createWorker({ database, clock, log, measured, declarations, tracing, concurrency: 1 }).drain(),
  };
}
