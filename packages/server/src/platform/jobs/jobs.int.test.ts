import sql from 'sql-template-tag';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { createTestClock, type TestClock } from '../clock.ts';
import type { Database } from '../db/database.ts';
import { DatabaseError } from '../db/database-error.ts';
import { AppError } from '../errors.ts';
import { defineJob, type JobContext, type JobDeclaration } from './job.ts';
import { createJobs, type Jobs } from './jobs.ts';

interface Row {
  readonly name: string;
  readonly state: string;
  readonly attempt: number;
  readonly run_at: Date;
  readonly last_error: { error: string; message: string } | null;
}

let given: TestDatabase;
let database: Database;
let clock: TestClock;
let started: Jobs[];
let said: string[];
const note = (_context: unknown, message: string): void => {
  said.push(message);
};
const log = { info: note, warn: note, error: note };

beforeAll(async () => {
  given = await createTestDatabase();
  database = given.database;
});
afterAll(() => given.drop());
beforeEach(async () => {
  clock = createTestClock();
  started = [];
  said = [];
  await database.transaction(async (tx) => {
    await tx.execute(sql`delete from jobs`);
    await tx.execute(sql`delete from job_schedules`);
  });
});
afterEach(async () => {
  await Promise.all(started.map((jobs) => jobs.stop(0)));
});

const jobsWith = (...declarations: JobDeclaration[]): Jobs => {
  const jobs = createJobs({ database, clock, log });
  jobs.register(declarations);
  return jobs;
};
const inputSchema = z.object({ value: z.string() });
type Run = (input: { value: string }, context: JobContext) => Promise<void>;
const jobThat = (run: Run, rest: Partial<JobDeclaration<typeof inputSchema>> = {}) =>
  defineJob({ name: 'trial.do-it', input: inputSchema, attempts: 3, timeoutMs: 5_000, ...rest, run });
const enqueue = (jobs: Jobs, job: JobDeclaration<typeof inputSchema>, value: string, orgId = 'org_1'): Promise<void> =>
  database.transaction((tx) => jobs.enqueue(tx, orgId, job, { value }));
const rows = (): Promise<Row[]> => database.rows<Row>(sql`select * from jobs order by created_at, id`);

describe('enqueued work', () => {
  test('runs with its input and organization, and is gone afterwards', async () => {
    const seen: unknown[] = [];
    const job = jobThat(async (input, { orgId, attempt }) => {
      seen.push([orgId, attempt, input]);
    });
    const jobs = jobsWith(job);
    await enqueue(jobs, job, 'a');
    expect(await jobs.drain()).toEqual({ completed: 1, retried: 0, dead: 0 });
    expect(seen).toEqual([['org_1', 1, { value: 'a' }]]);
    expect(await rows()).toEqual([]);
  });

  test('does not exist when its transaction is rolled back', async () => {
    const job = jobThat(async () => undefined);
    const jobs = jobsWith(job);
    const failing = database.transaction(async (tx) => {
      await jobs.enqueue(tx, 'org_1', job, { value: 'a' });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await rows()).toEqual([]);
  });

  test('may wait for its moment', async () => {
    const job = jobThat(async () => undefined);
    const jobs = jobsWith(job);
    const runAt = new Date(clock.now().getTime() + 60_000);
    await database.transaction((tx) => jobs.enqueue(tx, 'org_1', job, { value: 'a' }, { runAt }));
    expect((await jobs.drain()).completed).toBe(0);
    clock.advance(60_000);
    expect((await jobs.drain()).completed).toBe(1);
  });

  test('is refused when its job is not registered or its input is not valid', async () => {
    const job = jobThat(async () => undefined);
    await expect(enqueue(jobsWith(), job, 'a')).rejects.toThrow('trial.do-it is not registered');
    const wrong = { value: 7 } as unknown as { value: string };
    const jobs = jobsWith(job);
    await expect(database.transaction((tx) => jobs.enqueue(tx, 'org_1', job, wrong))).rejects.toThrow(z.ZodError);
    expect(await rows()).toEqual([]);
  });

  test('of a job enqueued by a job is drained too', async () => {
    const seen: string[] = [];
    const job: JobDeclaration<typeof inputSchema> = jobThat(async ({ value }) => {
      seen.push(value);
      if (value.length < 3) await enqueue(jobs, job, `${value}a`);
    });
    const jobs: Jobs = jobsWith(job);
    await enqueue(jobs, job, 'a');
    expect((await jobs.drain()).completed).toBe(3);
    expect(seen).toEqual(['a', 'aa', 'aaa']);
  });
});

describe('equal keys', () => {
  test('become one run for each organization', async () => {
    const seen: string[] = [];
    const run: Run = async ({ value }, { orgId }) => {
      seen.push(`${orgId} ${value}`);
    };
    const job = jobThat(run, { dedupeBy: ({ value }) => value });
    const jobs = jobsWith(job);
    for (const value of ['a', 'b', 'a', 'a']) await enqueue(jobs, job, value);
    await enqueue(jobs, job, 'a', 'org_2');
    await jobs.drain();
    expect(seen.toSorted()).toEqual(['org_1 a', 'org_1 b', 'org_2 a']);
    expect(await rows()).toEqual([]);
  });

  test('do not swallow work that is enqueued while the first runs', async () => {
    const seen: string[] = [];
    const job: JobDeclaration<typeof inputSchema> = jobThat(
      async ({ value }) => {
        seen.push(value);
        if (seen.length === 1) await enqueue(jobs, job, 'a');
      },
      { dedupeBy: () => 'same' },
    );
    const jobs: Jobs = jobsWith(job);
    await enqueue(jobs, job, 'a');
    await jobs.drain();
    expect(seen).toEqual(['a', 'a']);
  });

  test('leave alone what waits for a later moment', async () => {
    const job = jobThat(async () => undefined, { dedupeBy: () => 'same' });
    const jobs = jobsWith(job);
    const runAt = new Date(clock.now().getTime() + 60_000);
    await database.transaction((tx) => jobs.enqueue(tx, 'org_1', job, { value: 'later' }, { runAt }));
    await enqueue(jobs, job, 'now');
    await jobs.drain();
    expect(await rows()).toHaveLength(1);
  });
});

describe('a job that fails', () => {
  test('is tried again after 1 s, 2 s, and then is a dead letter that tells outsiders nothing', async () => {
    const attempts: number[] = [];
    const job = jobThat(async (_input, { attempt }) => {
      attempts.push(attempt);
      throw new Error('secret');
    });
    const jobs = jobsWith(job);
    await enqueue(jobs, job, 'a');
    expect(await jobs.drain()).toEqual({ completed: 0, retried: 1, dead: 0 });
    clock.advance(999);
    expect((await jobs.drain()).retried).toBe(0);
    clock.advance(1);
    expect((await jobs.drain()).retried).toBe(1);
    clock.advance(2_000);
    expect((await jobs.drain()).dead).toBe(1);
    expect(attempts).toEqual([1, 2, 3]);
    expect(await rows()).toMatchObject([
      { state: 'dead', last_error: { error: 'internal_error', message: 'Something failed inside' } },
    ]);
    clock.advance(86_400_000);
    expect((await jobs.drain()).completed).toBe(0);
  });

  test('with a code that no repetition mends is a dead letter at once', async () => {
    const job = jobThat(async () => {
      throw new AppError('not_found', 'Blueprint "x" was not found');
    });
    const jobs = jobsWith(job);
    await enqueue(jobs, job, 'a');
    expect((await jobs.drain()).dead).toBe(1);
    expect(await rows()).toMatchObject([
      { state: 'dead', attempt: 1, last_error: { error: 'not_found', message: 'Blueprint "x" was not found' } },
    ]);
  });

  test('because the database is away costs no attempt', async () => {
    const job = jobThat(async () => {
      throw new DatabaseError('terminating connection', '57P01');
    });
    const jobs = jobsWith(job);
    await enqueue(jobs, job, 'a');
    for (let round = 0; round < 5; round += 1) {
      expect(await jobs.drain()).toEqual({ completed: 0, retried: 0, dead: 0 });
      clock.advance(5_000);
    }
    expect(await rows()).toMatchObject([{ state: 'waiting', attempt: 0, last_error: null }]);
  });

  test('because a statement was too slow costs one, so that it ends', async () => {
    const job = jobThat(async () => {
      throw new DatabaseError('canceling statement', '57014');
    });
    const jobs = jobsWith(job);
    await enqueue(jobs, job, 'a');
    expect((await jobs.drain()).retried).toBe(1);
    expect(await rows()).toMatchObject([{ attempt: 1, last_error: { error: 'service_unavailable' } }]);
  });

  test('waits as long as its error says', async () => {
    const job = jobThat(async () => {
      throw new AppError('too_many_requests', 'later', { retryAfterSeconds: 90 });
    });
    const jobs = jobsWith(job);
    await enqueue(jobs, job, 'a');
    await jobs.drain();
    const [row] = await rows();
    expect(row?.run_at.getTime()).toBe(clock.now().getTime() + 90_000);
  });

  test('because its stored input is not valid any more is a dead letter and stops nobody else', async () => {
    const seen: string[] = [];
    const job = jobThat(async ({ value }) => {
      seen.push(value);
    });
    const jobs = jobsWith(job);
    await enqueue(jobs, job, 'poison');
    await database.transaction((tx) => tx.execute(sql`update jobs set input = '{"value": 7}'`));
    await enqueue(jobs, job, 'good');
    expect(await jobs.drain()).toEqual({ completed: 1, retried: 0, dead: 1 });
    expect(seen).toEqual(['good']);
    expect(await rows()).toMatchObject([{ state: 'dead', last_error: { error: 'invalid_request' } }]);
  });

  test('by taking too long has its signal aborted and is tried again', async () => {
    let signal: AbortSignal | undefined;
    const run: Run = (_input, context) => {
      signal = context.signal;
      return new Promise(() => undefined);
    };
    const job = jobThat(run, { timeoutMs: 20 });
    const jobs = jobsWith(job);
    await enqueue(jobs, job, 'a');
    expect((await jobs.drain()).retried).toBe(1);
    expect(signal?.aborted).toBe(true);
    expect(await rows()).toMatchObject([
      { state: 'waiting', last_error: { message: 'The job trial.do-it took longer than 20 ms' } },
    ]);
  });
});

describe('a job whose worker died', () => {
  const leaveBehind = (attempt: number): Promise<number> =>
    database.transaction((tx) => {
      const until = new Date(clock.now().getTime() + 30_000);
      return tx.execute(sql`update jobs set state = 'running', attempt = ${attempt}, lease = 'w_dead',
        locked_until = ${until}`);
    });

  test('is taken by another once its lease ran out', async () => {
    const job = jobThat(async () => undefined);
    const jobs = jobsWith(job);
    await enqueue(jobs, job, 'a');
    await leaveBehind(1);
    clock.advance(29_999);
    expect((await jobs.drain()).completed).toBe(0);
    clock.advance(2);
    expect((await jobs.drain()).completed).toBe(1);
  });

  test('on its last attempt is a dead letter', async () => {
    const job = jobThat(async () => undefined);
    const jobs = jobsWith(job);
    await enqueue(jobs, job, 'a');
    await leaveBehind(3);
    clock.advance(30_001);
    expect((await jobs.drain()).completed).toBe(0);
    expect(await rows()).toMatchObject([{ state: 'dead' }]);
  });

  test('cannot be finished by the first worker after all', async () => {
    const job = jobThat(async () => {
      await database.transaction((tx) => tx.execute(sql`update jobs set lease = 'w_other'`));
    });
    const jobs = jobsWith(job);
    await enqueue(jobs, job, 'a');
    await jobs.drain();
    expect(await rows()).toMatchObject([{ state: 'running', lease: 'w_other' }]);
  });
});

describe('a schedule', () => {
  const scheduled = (seen: string[]) =>
    defineJob({
      name: 'trial.by-itself',
      input: z.object({}),
      attempts: 1,
      timeoutMs: 1_000,
      everyMs: 60_000,
      run: async (_input, { orgId }) => {
        seen.push(`[${orgId}]`);
      },
    });

  test('runs once per interval, first after one, and makes up for missed ones with a single run', async () => {
    const seen: string[] = [];
    const jobs = jobsWith(scheduled(seen));
    const counts: number[] = [];
    for (const milliseconds of [0, 59_999, 1, 30_000, 30_000, 600_000, 59_999, 1]) {
      clock.advance(milliseconds);
      counts.push((await jobs.drain()).completed);
    }
    expect(counts).toEqual([0, 0, 1, 0, 1, 1, 0, 1]);
    expect(new Set(seen)).toEqual(new Set(['[]']));
  });

  test('runs once for all workers together', async () => {
    const seen: string[] = [];
    const all = [1, 2, 3].map(() => jobsWith(scheduled(seen)));
    await Promise.all(all.map((jobs) => jobs.drain()));
    clock.advance(60_000);
    const results = await Promise.all(all.map((jobs) => jobs.drain()));
    expect(results.reduce((sum, result) => sum + result.completed, 0)).toBe(1);
    expect(seen).toHaveLength(1);
  });
});

describe('a schedule that asks for work', () => {
  test('does not come due while there is none, and runs at once when there is', async () => {
    let isThere = false;
    const job = defineJob({
      name: 'trial.if-needed',
      input: z.object({}),
      attempts: 1,
      timeoutMs: 1_000,
      everyMs: 1_000,
      hasWork: async () => isThere,
      run: async () => undefined,
    });
    const jobs = jobsWith(job);
    await jobs.drain();
    const schedules = () => database.rows(sql`select next_run_at from job_schedules`);
    const before = await schedules();
    clock.advance(5_000);
    expect((await jobs.drain()).completed).toBe(0);
    expect(await schedules()).toEqual(before);
    isThere = true;
    expect((await jobs.drain()).completed).toBe(1);
  });
});

describe('registration', () => {
  test('refuses a name that is there already', () => {
    const job = jobThat(async () => undefined);
    expect(() => jobsWith(job, job)).toThrow('The job trial.do-it is declared twice');
  });

  test('reports queued work that nobody handles, at the start, and leaves it there', async () => {
    const job = jobThat(async () => undefined);
    await enqueue(jobsWith(job), job, 'a');
    const others = createJobs({ database, clock, log });
    started.push(others);
    await others.start();
    expect(said).toEqual(['queued jobs have no handler in this release']);
    expect(await rows()).toHaveLength(1);
  });
});
