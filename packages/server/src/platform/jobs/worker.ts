import { AsyncLocalStorage } from 'node:async_hooks';
import { setMaxListeners } from 'node:events';
import type { Admission } from '../admission/admission.ts';
import type { Clock } from '../clock.ts';
import type { Database, Tx } from '../db/database.ts';
import { listFrozen } from '../frozen-organizations.store.ts';
import { newId } from '../ids.ts';
import type { Tracing } from '../telemetry/tracing.ts';
import {
  type ClaimedJob,
  claimJobs,
  extendLeases,
  type FinishedJob,
  finishJobs,
  insertJob,
  type JobClaim,
  recoverJobs,
} from './job.store.ts';
import type { JobDeclaration } from './job.ts';
import type { JobLog } from './job-log.ts';
import type { JobMetrics } from './job-metrics.ts';
import { runJob, traceJob } from './run-job.ts';
import { claimSchedules, type Schedule, upsertSchedules } from './schedule.store.ts';

export interface WorkerPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: JobLog;
  readonly measured: Pick<JobMetrics, 'taken' | 'ended'>;
  readonly declarations: ReadonlyMap<string, JobDeclaration>;
  /** Jobs that run at once, beside those that wait outside. */
  readonly concurrency: number;
  readonly admission?: Pick<Admission, 'roomForJobs' | 'takeForJob'> | undefined;
  readonly tracing?: Tracing | undefined;
}

export interface DrainResult {
  readonly completed: number;
  readonly retried: number;
  readonly dead: number;
}

export interface Worker {
  start(): Promise<void>;
  /** Looks for due jobs now. */
  wake(): void;
  /** Claims nothing more; what ends is still stored. */
  pause(): void;
  resume(): void;
  stop(waitMs: number): Promise<void>;
  drain(): Promise<DrainResult>;
}

interface Room {
  readonly inside: number;
  readonly outside: number;
}

/** Fallback poll: NOTIFY does not announce delayed jobs, schedules, or jobs whose worker died. */
const pollMs = 1_000;
/** A job without a renewal for this long goes to another worker: the longest delay after kill -9. */
const leaseMs = 30_000;
const renewMs = 10_000;
/** How long an end may wait for a round that others need too; one of its own would cost as much as a small job. */
const settleMs = 50;
/** Jobs that wait on the network at once: they need a socket, and the database only briefly. */
const outsidePlaces = 48;

/**
 * Claims due jobs while it has room. One short transaction per round stores finished jobs and claims new ones; jobs run
 * outside any transaction.
 */
export function createWorker(ports: WorkerPorts): Worker {
  const { database, clock, log, measured, declarations, concurrency, admission, tracing } = ports;
  const { engine } = database;
  const running = new Map<string, { readonly job: ClaimedJob; readonly ended: Promise<void> }>();
  const waitsOutside = (name: string): boolean => declarations.get(name)?.waitsOutside === true;
  const namesOutside = [...declarations.keys()].filter(waitsOutside);
  const namesInside = [...declarations.keys()].filter((name) => !waitsOutside(name));
  const stopping = new AbortController();
  // one listener per running job
  setMaxListeners(0, stopping.signal);
  const schedules: readonly Schedule[] = [...declarations.values()].flatMap(({ name, everyMs }) =>
    everyMs === undefined ? [] : [{ name, everyMs }],
  );
  const lease = newId('w_');
  /** Requests wake the worker; what it then does is in none of their spans. */
  const untraced = AsyncLocalStorage.snapshot();
  const timers: NodeJS.Timeout[] = [];
  let settlements: FinishedJob[] = [];
  let settling: NodeJS.Timeout | undefined;
  /** The last round took all that it had room for, so that others may wait for a place. */
  let isFull = false;
  let isTaking = true;
  let isStopped = false;
  let isPollDue = false;
  let round: Promise<void> | undefined;
  let isAskedAgain = false;

  /** Enqueues due schedules and requeues jobs of dead workers. */
  const poll = async (tx: Tx, now: Date): Promise<void> => {
    await recoverJobs(tx, now);
    const wanted: Schedule[] = [];
    for (const schedule of schedules) {
      if ((await declarations.get(schedule.name)?.hasWork?.(tx, now)) ?? true) wanted.push(schedule);
    }
    if (wanted.length === 0) return;
    for (const { name } of await claimSchedules(tx, wanted, now)) {
      const attemptsMax = declarations.get(name)?.attempts ?? 1;
      // The key keeps late runs from piling up.
      const job = { orgId: '', id: newId('j_'), name, input: {}, dedupeKey: name, attemptsMax };
      insertJob(tx, { ...job, runAt: now, now });
    }
  };

  const exchange = (ended: readonly FinishedJob[], room: Room, isPoll: boolean): Promise<JobClaim> =>
    database.transaction(async (tx) => {
      const now = clock.now();
      await finishJobs(tx, ended, now);
      if (isPoll) await poll(tx, now);
      const claim = { lease, now, lockedUntil: new Date(now.getTime() + leaseMs) };
      const inside = { names: namesInside, limit: room.inside };
      return claimJobs(tx, { ...claim, rooms: [inside, { names: namesOutside, limit: room.outside }] });
    });

  const roomNow = (): Room => {
    if (!isTaking) return { inside: 0, outside: 0 };
    const outside = [...running.values()].filter(({ job }) => waitsOutside(job.name)).length;
    const free = concurrency - (running.size - outside);
    return { inside: Math.min(free, admission?.roomForJobs() ?? free), outside: outsidePlaces - outside };
  };

  const fills = ({ taken }: JobClaim, room: Room): boolean => {
    const outside = taken.filter(({ name }) => waitsOutside(name)).length;
    return taken.length - outside >= room.inside || outside >= room.outside;
  };

  const run = async (job: ClaimedJob): Promise<FinishedJob> => {
    const declaration = declarations.get(job.name);
    if (!declaration) throw new Error(`The job ${job.name} was taken without a declaration`);
    measured.taken(clock.now().getTime() - job.runAt.getTime());
    const begunMs = performance.now();
    const frozen = () => listFrozen(database);
    const asked = { job, declaration, stop: stopping.signal, now: () => clock.now(), log, frozen };
    const finished = await (tracing ? traceJob(asked, tracing) : runJob(asked));
    measured.ended(job.name, finished.kind, performance.now() - begunMs);
    return finished;
  };

  const launch = (job: ClaimedJob): void => {
    const key = `${job.orgId}/${job.id}`;
    const leave = waitsOutside(job.name) ? undefined : admission?.takeForJob();
    const ended = engine
      .inClass('background', () => run(job))
      .then((settlement) => {
        leave?.();
        running.delete(key);
        settlements.push(settlement);
        // what was done outside would be done again if this process died before its end is stored
        if (isFull || waitsOutside(job.name)) wake();
        else settling ??= setTimeout(wake, settleMs);
      });
    running.set(key, { job, ended });
  };

  const runRounds = async (): Promise<void> => {
    do {
      isAskedAgain = false;
      clearTimeout(settling);
      settling = undefined;
      const ended = settlements;
      settlements = [];
      const room = roomNow();
      const isPoll = isTaking && isPollDue;
      if (ended.length === 0 && room.inside <= 0 && room.outside <= 0 && !isPoll) return;
      isPollDue = false;
      try {
        const claim = await engine.inClass('control', () => exchange(ended, room, isPoll));
        isFull = fills(claim, room);
        for (const job of claim.jobs) launch(job);
      } catch (error) {
        // The database is away: keep the results for the next poll.
        settlements.unshift(...ended);
        log.error({ error }, 'the job queue cannot be reached');
        isAskedAgain = false;
        return;
      }
    } while (isAskedAgain);
  };

  const wake = (): void => {
    isAskedAgain = true;
    round ??= untraced(runRounds).finally(() => {
      round = undefined;
      if (isAskedAgain) wake();
    });
  };

  const renew = (): void => {
    const held = [...running.values()].map((each) => each.job);
    if (held.length === 0) return;
    const lockedUntil = new Date(clock.now().getTime() + leaseMs);
    engine
      .inClass('control', () => database.transaction((tx) => extendLeases(tx, held, lockedUntil)))
      .catch((error: unknown) => log.warn({ error }, 'the leases of running jobs could not be extended'));
  };

  return {
    wake,
    async start() {
      await database.transaction((tx) => upsertSchedules(tx, schedules, clock.now()));
      const onPoll = (): void => {
        isPollDue = true;
        wake();
      };
      timers.push(setInterval(onPoll, pollMs), setInterval(renew, renewMs));
      onPoll();
    },

    pause() {
      isTaking = false;
    },

    resume() {
      isTaking = !isStopped;
      wake();
    },

    async stop(waitMs) {
      isTaking = false;
      isStopped = true;
      const settled = async (): Promise<void> => {
        await round;
        await Promise.all([...running.values()].map((each) => each.ended));
      };
      await withinMs(settled(), waitMs);
      stopping.abort();
      await settled();
      for (const timer of timers) clearInterval(timer);
      await round;
      if (settlements.length > 0) await runRounds();
    },

    async drain() {
      const count = { completed: 0, retried: 0, dead: 0, returned: 0 };
      await database.transaction((tx) => upsertSchedules(tx, schedules, clock.now()));
      const one = { inside: 1, outside: 1 };
      let { jobs } = await exchange([], one, true);
      while (jobs.length > 0) {
        const ended: FinishedJob[] = [];
        for (const job of jobs) ended.push(await run(job));
        for (const { kind } of ended) count[kind] += 1;
        ({ jobs } = await exchange(ended, one, true));
      }
      return { completed: count.completed, retried: count.retried, dead: count.dead };
    },
  };
}

async function withinMs(work: Promise<void>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
