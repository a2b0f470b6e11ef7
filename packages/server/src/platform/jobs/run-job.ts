import { waitsForDatabase } from '../db/passing-failure.ts';
import { AppError, asAppError, errorBody } from '../errors.ts';
import type { Tracing } from '../telemetry/tracing.ts';
import { withDeadline } from './deadline.ts';
import { createEachRecord } from './each-record.ts';
import type { ClaimedJob, FinishedJob, JobFailure } from './job.store.ts';
import { type JobDeclaration, Postponed } from './job.ts';
import type { JobLog } from './job-log.ts';

export interface JobRun {
  readonly job: ClaimedJob;
  readonly declaration: JobDeclaration;
  readonly stop: AbortSignal;
  readonly now: () => Date;
  readonly log: JobLog;
  readonly frozen: () => Promise<ReadonlySet<string>>;
}

/** Runs one job outside any transaction and reports how it ended. Never throws. */
export async function runJob({ job, declaration, stop, now, log, frozen }: JobRun): Promise<FinishedJob> {
  const context = { job: job.name, jobId: job.id, orgId: job.orgId, attempt: job.attempt };
  const parsed = declaration.input.safeParse(job.input);
  if (!parsed.success) {
    log.error({ ...context, error: parsed.error }, 'a job has an input that its handler does not understand');
    return { job, kind: 'dead', failure: { error: 'invalid_request', message: 'The input of the job is not valid' } };
  }
  try {
    const { timeoutMs } = declaration;
    const late = `The job ${job.name} took longer than ${timeoutMs} ms`;
    await withDeadline({ timeoutMs, late, stop }, (signal) => {
      const each = createEachRecord({ log, context, frozen, recordMs: timeoutMs / recordsPerJob, stop: signal });
      return declaration.run(parsed.data, { orgId: job.orgId, attempt: job.attempt, signal, each });
    });
    return { job, kind: 'completed' };
  } catch (error) {
    if (stop.aborted) return { job, kind: 'returned' };
    if (error instanceof Postponed) return { job, kind: 'returned', runAt: error.until };
    // an absent database costs no attempt; a slow or contended statement does
    if (waitsForDatabase(error)) {
      log.warn({ ...context, error }, 'a job waits until the database can go on');
      return { job, kind: 'returned', runAt: new Date(now().getTime() + 1_000 + Math.random() * waitMsSpread) };
    }
    const isFinal = job.attempt >= job.attemptsMax || (error instanceof AppError && !error.isRetryable);
    const failure = toJobFailure(error);
    if (isFinal) {
      log.error({ ...context, error }, 'a job failed for good');
      return { job, kind: 'dead', failure };
    }
    log.warn({ ...context, error }, 'a job failed and will be tried again');
    const waitMs = Math.max(
      backoffMs(job.attempt),
      error instanceof AppError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0,
    );
    return { job, kind: 'retried', failure, runAt: new Date(now().getTime() + waitMs) };
  }
}

/**
 * The run as a span, with how it ended; neither the input nor the message of a failure. It begins a trace, which links to
 * what enqueued the job: one run may stand for several requests, and work that enqueues itself again would never end one.
 */
export function traceJob(run: JobRun, tracing: Tracing): Promise<FinishedJob> {
  const { name, attempt, traceparent } = run.job;
  const attributes = { 'portolan.job.name': name, 'portolan.job.attempt': attempt };
  const start = { name: `job ${name}`, kind: 'consumer', attributes, link: traceparent } as const;
  return tracing.run(start, async (span) => {
    const finished = await runJob(run);
    span.note({ 'portolan.job.outcome': finished.kind });
    if ('failure' in finished) span.end(finished.failure.error);
    return finished;
  });
}

/** Records that may hang before a job has no time left for others. */
const recordsPerJob = 10;

/** Spreads jobs that wait for the database. */
const waitMsSpread = 4_000;

/** 1 s after the first failure, doubling, at most five minutes. */
function backoffMs(attempt: number): number {
  return Math.min(1_000 * 2 ** (attempt - 1), 300_000);
}

function toJobFailure(error: unknown): JobFailure {
  const { error: code, message } = errorBody(asAppError(error));
  return { error: code, message };
}
