import sql, { join, type Sql } from 'sql-template-tag';
import type { Reader, Tx } from '../db/database.ts';
import { json } from '../db/json.ts';
import { computed, field, fields, row } from '../db/row.ts';

export interface ClaimedJob {
  readonly orgId: string;
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly dedupeKey: string | null;
  readonly attempt: number;
  readonly attemptsMax: number;
  readonly lease: string;
  /** When it could first be taken. */
  readonly runAt: Date;
  /** The span that it was enqueued in. */
  readonly traceparent: string | null;
}

/** The stored failure, with the fields of an error answer. */
export interface JobFailure {
  readonly error: string;
  readonly message: string;
}

/** How a job ended; written with the worker's next transaction. */
export type FinishedJob = { readonly job: ClaimedJob } & (
  | { readonly kind: 'completed' }
  | { readonly kind: 'retried'; readonly runAt: Date; readonly failure: JobFailure }
  | { readonly kind: 'dead'; readonly failure: JobFailure }
  /** Given back unfinished; the attempt does not count. */
  | { readonly kind: 'returned'; readonly runAt?: Date }
);

export interface NewJob {
  readonly orgId: string;
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly dedupeKey: string | undefined;
  readonly attemptsMax: number;
  readonly runAt: Date;
  readonly now: Date;
  readonly traceparent?: string | undefined;
}

/** Sent without waiting: what is wrong with it is wrong with the whole transaction. */
export function insertJob(tx: Tx, job: NewJob): void {
  tx.send(sql`
    insert into jobs (org_id, id, name, input, dedupe_key, run_at, attempts_max, created_at, traceparent)
    values (${job.orgId}, ${job.id}, ${job.name}, ${json(job.input)}, ${job.dedupeKey ?? null}, ${job.runAt},
      ${job.attemptsMax}, ${job.now}, ${job.traceparent ?? null})`);
}

export interface NewJobs {
  readonly name: string;
  readonly attemptsMax: number;
  readonly now: Date;
  readonly traceparent?: string | undefined;
  readonly jobs: readonly {
    readonly orgId: string;
    readonly id: string;
    readonly input: unknown;
    readonly dedupeKey: string | null;
  }[];
}

export async function insertJobs(tx: Tx, { name, attemptsMax, now, traceparent, jobs }: NewJobs): Promise<void> {
  await tx.execute(sql`
    insert into jobs (org_id, id, name, input, dedupe_key, run_at, attempts_max, created_at, traceparent)
    select j.org_id, j.id, ${name}, j.input, j.dedupe_key, ${now}, ${attemptsMax}, ${now}, ${traceparent ?? null}
    from unnest(${jobs.map((job) => job.orgId)}::text[], ${jobs.map((job) => job.id)}::text[],
      ${jobs.map((job) => json(job.input))}::jsonb[], ${jobs.map((job) => job.dedupeKey)}::text[])
      as j (org_id, id, input, dedupe_key)`);
}

/** Tells every process that listens on the channel, and whose hint it is. */
export async function notifyWorkers(reader: Reader, channel: string, from: string): Promise<void> {
  await reader.rows(sql`select pg_notify(${channel}, ${from})`);
}

const jobRow = row({
  ...fields('jobs', 'org_id', 'id', 'name', 'dedupe_key', 'attempt', 'attempts_max', 'run_at', 'traceparent'),
  input: field('jobs', 'input').as<unknown>(),
  lease: field('jobs', 'lease').notNull(),
});

/** Jobs that a worker has room for. */
export interface JobRoom {
  readonly names: readonly string[];
  readonly limit: number;
}

/** What a claim found. */
export interface JobClaim {
  readonly jobs: readonly ClaimedJob[];
  /** These, and those with the same key as one of them that took a place and were removed. */
  readonly taken: readonly ClaimedJob[];
}

/**
 * Takes due jobs for a worker, the oldest of each room first; those of frozen organizations wait. Of those with one key only the first is taken; it runs after every
 * transaction that enqueued one of the others was committed, so the others are removed.
 */
export async function claimJobs(
  tx: Tx,
  claim: {
    readonly rooms: readonly JobRoom[];
    readonly lease: string;
    readonly now: Date;
    readonly lockedUntil: Date;
  },
): Promise<JobClaim> {
  const rooms = claim.rooms.filter(({ names, limit }) => names.length > 0 && limit > 0);
  if (rooms.length === 0) return { jobs: [], taken: [] };
  const due = rooms.map(
    ({ names, limit }) => sql`
      select * from (select org_id, id from jobs
      where state = 'waiting' and run_at <= ${claim.now} and name = any(${names}::text[])
        and org_id <> all(array(select id from organizations where frozen_at is not null))
      order by run_at limit ${limit} for update skip locked) room`,
  );
  const taken = await tx.rows(jobRow.sql`
    with due as (${join(due, ' union all ')})
    update jobs set state = 'running', attempt = attempt + 1, lease = ${claim.lease}, locked_until = ${claim.lockedUntil}
    from due where jobs.org_id = due.org_id and jobs.id = due.id
    returning jobs.org_id as "orgId", jobs.id, name, input, dedupe_key as "dedupeKey", attempt,
      attempts_max as "attemptsMax", lease, run_at as "runAt", traceparent`);
  const inOrder = [...taken].sort((a, b) => a.runAt.getTime() - b.runAt.getTime());
  const keyed = inOrder.filter((job) => job.dedupeKey !== null);
  if (keyed.length === 0) return { jobs: inOrder, taken: inOrder };

  const firstByKey = new Map<string, ClaimedJob>();
  for (const job of keyed) {
    const key = JSON.stringify([job.orgId, job.name, job.dedupeKey]);
    if (!firstByKey.has(key)) firstByKey.set(key, job);
  }
  const firsts = new Set(firstByKey.values());
  await removeJobs(
    tx,
    keyed.filter((job) => !firsts.has(job)),
  );
  await removeOthersWaiting(tx, [...firsts], claim.now);
  return { jobs: inOrder.filter((job) => job.dedupeKey === null || firsts.has(job)), taken: inOrder };
}

async function removeOthersWaiting(tx: Tx, jobs: readonly ClaimedJob[], now: Date): Promise<void> {
  // Rows that another worker is taking are left to it: waiting for it could end in a deadlock. Each key is looked up by
  // itself: a queue is empty when the planner counts it, and a join would then read all that waits, for each of them.
  await tx.execute(sql`
    with others as (
      select o.at from unnest(${jobs.map((job) => job.orgId)}::text[], ${jobs.map((job) => job.name)}::text[],
        ${jobs.map((job) => job.dedupeKey)}::text[]) as taken (org_id, name, dedupe_key)
      cross join lateral (
        select j.ctid as at from jobs j
        where j.org_id = taken.org_id and j.name = taken.name and j.dedupe_key = taken.dedupe_key
          and j.state = 'waiting' and j.dedupe_key is not null and (j.run_at <= ${now} or j.attempt > 0)
        for update skip locked) o)
    delete from jobs where jobs.ctid = any(array(select at from others))`);
}

async function removeJobs(tx: Tx, jobs: readonly ClaimedJob[]): Promise<void> {
  if (jobs.length > 0) await tx.execute(sql`delete from jobs using ${held(jobs)} where ${isHeld}`);
}

/** Writes how runs ended. A job whose lease was lost to another worker meanwhile is left alone. */
export async function finishJobs(tx: Tx, settlements: readonly FinishedJob[], now: Date): Promise<void> {
  await removeJobs(
    tx,
    settlements.filter((each) => each.kind === 'completed').map((each) => each.job),
  );
  for (const each of settlements) {
    const one = [each.job];
    if (each.kind === 'retried') {
      await tx.execute(sql`
        update jobs set state = 'waiting', run_at = ${each.runAt}, lease = null, locked_until = null,
          last_error = ${failureJson(each.failure, now)}
        from ${held(one)} where ${isHeld}`);
    } else if (each.kind === 'dead') {
      await tx.execute(sql`
        update jobs set state = 'dead', finished_at = ${now}, lease = null, locked_until = null,
          last_error = ${failureJson(each.failure, now)}
        from ${held(one)} where ${isHeld}`);
    } else if (each.kind === 'returned') {
      await tx.execute(sql`
        update jobs set state = 'waiting', attempt = attempt - 1, run_at = ${each.runAt ?? now}, lease = null, locked_until = null
        from ${held(one)} where ${isHeld}`);
    }
  }
}

export async function extendLeases(tx: Tx, jobs: readonly ClaimedJob[], lockedUntil: Date): Promise<void> {
  if (jobs.length === 0) return;
  await tx.execute(sql`update jobs set locked_until = ${lockedUntil} from ${held(jobs)} where ${isHeld}`);
}

/** Requeues jobs whose worker died, or moves them to the dead letters after their last attempt. */
export async function recoverJobs(tx: Tx, now: Date): Promise<number> {
  const failure = { error: 'internal_error', message: 'The process that ran the job ended before it was done' };
  return tx.execute(sql`
    update jobs set lease = null, locked_until = null, last_error = ${failureJson(failure, now)},
      state = case when attempt >= attempts_max then 'dead' else 'waiting' end,
      finished_at = case when attempt >= attempts_max then ${now}::timestamptz end,
      run_at = ${now}
    where (org_id, id) in (
      select org_id, id from jobs where state = 'running' and locked_until < ${now} for update skip locked)`);
}

const otherJobs = row({ ...fields('jobs', 'name'), jobs: computed.number });

/** Unfinished jobs by name, except those given, with their counts. */
export function countOthers(db: Reader, names: readonly string[]): Promise<{ name: string; jobs: number }[]> {
  return db.rows(otherJobs.sql`
    select name, count(*)::int as jobs from jobs
    where state <> 'dead' and name <> all(${names}::text[]) group by name order by name /* all organizations */`);
}

function held(jobs: readonly ClaimedJob[]): Sql {
  return sql`unnest(${jobs.map((job) => job.orgId)}::text[], ${jobs.map((job) => job.id)}::text[],
    ${jobs.map((job) => job.lease)}::text[]) as held (org_id, id, lease)`;
}

const isHeld = sql`jobs.org_id = held.org_id and jobs.id = held.id and jobs.lease = held.lease`;

function failureJson(failure: JobFailure, now: Date): string | null {
  return json({ ...failure, at: now.toISOString() });
}
