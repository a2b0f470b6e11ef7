import sql from 'sql-template-tag';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createTestDatabase, onlyOn, type TestDatabase } from '../../../test/database.ts';
import { startReceiver } from '../../../test/receiver.ts';
import { systemClock } from '../clock.ts';
import { createDatabase, type Database } from '../db/database.ts';
import { createSampler } from '../telemetry/sampler.ts';
import { createSpanExporter } from '../telemetry/span-exporter.ts';
import { traceDatabase } from '../telemetry/trace-ports.ts';
import { createTracing } from '../telemetry/tracing.ts';
import { defineJob, type JobDeclaration } from './job.ts';
import { createJobs, type Jobs } from './jobs.ts';

let given: TestDatabase;
let database: Database;
let started: Jobs[];
const log = { info() {}, warn() {}, error() {} };

beforeAll(async () => {
  given = await createTestDatabase();
  database = given.database;
});
afterAll(() => given.drop());
beforeEach(async () => {
  started = [];
  await database.transaction((tx) => tx.execute(sql`delete from jobs`));
});
afterEach(async () => {
  await Promise.all(started.map((jobs) => jobs.stop(0)));
});

const inputSchema = z.object({ value: z.string() });
const jobThat = (run: JobDeclaration<typeof inputSchema>['run']) =>
  defineJob({ name: 'trial.do-it', input: inputSchema, attempts: 3, timeoutMs: 5_000, run });
const enqueue = (jobs: Jobs, job: JobDeclaration<typeof inputSchema>, value: string): Promise<void> =>
  database.transaction((tx) => jobs.enqueue(tx, 'org_1', job, { value }));
const rows = () => database.rows(sql`select state, attempt, last_error from jobs`);

test('the run of a job links to the span that enqueued it, in a trace of its own', async () => {
  const collector = await startReceiver();
  const exporter = createSpanExporter({ endpoint: collector.url, serviceName: 'trial', log });
  const tracing = createTracing(exporter, createSampler());
  const traced = traceDatabase(database, tracing);
  const jobs = createJobs({ database: traced, clock: systemClock, log, tracing });
  const job = jobThat(async () => undefined);
  jobs.register([job]);
  await jobs.start();
  started.push(jobs);
  const request = await tracing.run({ name: 'request', kind: 'server' }, async ({ context }) => {
    await traced.transaction((tx) => jobs.enqueue(tx, 'org_1', job, { value: 'a' }));
    return context;
  });
  const all = tracing.run({ name: 'request', kind: 'server' }, async ({ context }) => {
    await traced.transaction((tx) => jobs.enqueueAll(tx, job, [{ orgId: 'org_1', input: { value: 'b' } }]));
    return context;
  });
  const contexts = [request, await all];
  await expect.poll(rows, { timeout: 5_000 }).toEqual([]);
  await jobs.stop(0);
  await exporter.close();
  await collector.close();

  type Sent = { name: string; traceId: string; spanId: string; parentSpanId?: string; links?: object[] };
  const sent: Sent[] = collector.received.flatMap(({ body }) => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans);
  const enqueued = contexts.map(({ traceId }) => sent.filter((span) => span.traceId === traceId));
  // the worker that the request woke is in no trace of it
  expect(enqueued.map((spans) => spans.map(({ name }) => name))).toEqual(Array(2).fill(['transaction', 'request']));
  const runs = sent.filter(({ name }) => name === 'job trial.do-it');
  expect(runs.map(({ parentSpanId }) => parentSpanId)).toEqual([undefined, undefined]);
  expect(runs.map(({ links }) => links)).toEqual(
    enqueued.map(([transaction]) => [{ traceId: transaction?.traceId, spanId: transaction?.spanId, flags: 1 }]),
  );
});

test('a job names no trace where nothing is traced', async () => {
  const jobs = createJobs({ database, clock: systemClock, log });
  const job = jobThat(async () => undefined);
  jobs.register([job]);
  await enqueue(jobs, job, 'a');
  expect(await database.rows(sql`select traceparent from jobs`)).toEqual([{ traceparent: null }]);
});

describe('a started worker', () => {
  const startWorker = async (job: JobDeclaration<typeof inputSchema>, db = database): Promise<Jobs> => {
    const jobs = createJobs({ database: db, clock: systemClock, log });
    jobs.register([job]);
    await jobs.start();
    started.push(jobs);
    return jobs;
  };

  test('runs what is enqueued long before it would look by itself', async () => {
    const ran: number[] = [];
    const job = jobThat(async () => {
      ran.push(performance.now());
    });
    const jobs = await startWorker(job);
    const waits: number[] = [];
    for (let count = 1; count <= 5; count += 1) {
      const before = performance.now();
      await enqueue(jobs, job, String(count));
      await expect.poll(() => ran.length, { timeout: 5_000, interval: 5 }).toBe(count);
      waits.push(ran[count - 1]! - before);
    }
    expect(Math.min(...waits)).toBeLessThan(400);
  });

  test('runs every one of many, each once', async () => {
    const seen: string[] = [];
    const job = jobThat(async ({ value }) => {
      seen.push(value);
    });
    const jobs = await startWorker(job);
    const wanted = Array.from({ length: 60 }, (_none, index) => String(index));
    await database.transaction(async (tx) => {
      await Promise.all(wanted.map((value) => jobs.enqueue(tx, 'org_1', job, { value })));
    });
    await expect.poll(() => seen.length, { timeout: 10_000 }).toBe(wanted.length);
    expect(seen.toSorted()).toEqual(wanted.toSorted());
    await expect.poll(rows, { timeout: 5_000 }).toEqual([]);
  });

  test('goes on at once where places went to repeated requests', async () => {
    let ran = 0;
    const counting = jobThat(async () => {
      ran += 1;
    });
    const job = { ...counting, dedupeBy: ({ value }: { value: string }) => value };
    const jobs = await startWorker(job);
    const timeOf = async (values: readonly string[], wanted: number): Promise<number> => {
      const beganMs = performance.now();
      ran = 0;
      await database.transaction(async (tx) => {
        await Promise.all(values.map((value) => jobs.enqueue(tx, 'org_1', job, { value })));
      });
      await expect.poll(() => ran, { timeout: 20_000, interval: 10 }).toBe(wanted);
      return performance.now() - beganMs;
    };
    const numbers = Array.from({ length: 200 }, (_none, index) => String(index));
    const onceMs = await timeOf(numbers, 200);
    const twiceMs = await timeOf(
      numbers.flatMap((value) => [value, value]),
      200,
    );
    // in rounds of a few that wait 50 ms each it was eight times as long
    expect(twiceMs / onceMs).toBeLessThan(4);
  });

  test('that is stopped waits for what runs', async () => {
    let finish: () => void = () => undefined;
    let isRunning = false;
    const job = jobThat(() => {
      isRunning = true;
      return new Promise((resolve) => {
        finish = resolve;
      });
    });
    const jobs = await startWorker(job);
    await enqueue(jobs, job, 'a');
    await expect.poll(() => isRunning, { timeout: 5_000 }).toBe(true);
    const stopped = jobs.stop(5_000);
    finish();
    await stopped;
    expect(await rows()).toEqual([]);
  });

  test('that is paused ends what runs and takes nothing more until it is resumed, and nothing after a stop', async () => {
    const ran: string[] = [];
    let finish: () => void = () => undefined;
    const job = jobThat(async ({ value }) => {
      ran.push(value);
      if (value === 'a') await new Promise<void>((resolve) => (finish = resolve));
    });
    const jobs = await startWorker(job);
    await enqueue(jobs, job, 'a');
    await expect.poll(() => ran, { timeout: 5_000 }).toEqual(['a']);
    jobs.pause();
    await enqueue(jobs, job, 'b');
    finish();
    await expect.poll(rows, { timeout: 5_000 }).toMatchObject([{ state: 'waiting', attempt: 0 }]);
    expect(ran).toEqual(['a']);
    jobs.resume();
    await expect.poll(() => ran, { timeout: 5_000 }).toEqual(['a', 'b']);
    await jobs.stop(1_000);
    await enqueue(jobs, job, 'c');
    jobs.resume();
    expect(await rows()).toMatchObject([{ state: 'waiting', attempt: 0 }]);
  });

  test('that is stopped gives back what does not end in time, as if it had not been tried', async () => {
    let signal: AbortSignal | undefined;
    const job = jobThat((_input, context) => {
      signal = context.signal;
      return new Promise(() => undefined);
    });
    const jobs = await startWorker(job);
    await enqueue(jobs, job, 'a');
    await expect.poll(() => signal, { timeout: 5_000 }).toBeDefined();
    await jobs.stop(20);
    expect(signal?.aborted).toBe(true);
    expect(await rows()).toMatchObject([{ state: 'waiting', attempt: 0, last_error: null }]);
  });

  test('leaves room for requests', async () => {
    const job = jobThat(async ({ value }) => {
      for (let count = 0; count < 20; count += 1) await database.rows(sql`select ${value}`);
    });
    const jobs = await startWorker(job);
    await database.transaction(async (tx) => {
      for (let count = 0; count < 50; count += 1) await jobs.enqueue(tx, 'org_1', job, { value: 'a' });
    });
    let reads = 0;
    while ((await rows()).length > 0) reads += 1;
    // A queue that had to be empty first would let through one read.
    expect(reads).toBeGreaterThan(10);
  });

  onlyOn('postgres', 'the embedded engine has one process', () => {
    test('hears of work that another replica enqueued', async () => {
      const seen: string[] = [];
      const job = jobThat(async ({ value }) => {
        seen.push(value);
      });
      const replica = createDatabase(await given.openReplica());
      await startWorker(job, replica);
      const elsewhere = createJobs({ database, clock: systemClock, log });
      elsewhere.register([job]);
      await enqueue(elsewhere, job, 'a');
      await expect.poll(() => seen, { timeout: 5_000, interval: 5 }).toEqual(['a']);
    });

    test('shares the work with others, and none is done twice', async () => {
      const seen: string[] = [];
      const job = jobThat(async ({ value }) => {
        seen.push(value);
      });
      const [first] = await Promise.all(
        [database, createDatabase(await given.openReplica()), createDatabase(await given.openReplica())].map((each) =>
          startWorker(job, each),
        ),
      );
      const wanted = Array.from({ length: 200 }, (_none, index) => String(index));
      await database.transaction(async (tx) => {
        await Promise.all(wanted.map((value) => first?.enqueue(tx, 'org_1', job, { value })));
      });
      await expect.poll(() => seen.length, { timeout: 10_000 }).toBe(wanted.length);
      await expect.poll(rows, { timeout: 5_000 }).toEqual([]);
      expect(new Set(seen).size).toBe(wanted.length);
    });
  });
});
