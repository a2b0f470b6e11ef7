import type { z } from 'zod';
import type { Actor } from './actor.ts';
import type { Clock } from './clock.ts';
import type { Database, Tx } from './db/database.ts';
import type { JobDeclaration } from './jobs/job.ts';
import type { Jobs } from './jobs/jobs.ts';

/** What happened, for the audit trail and for whoever reacts; written with the state or not at all. */
export interface DomainRecord {
  /** Noun then past: `entity.updated`. */
  readonly event: string;
  readonly action: 'CREATE' | 'UPDATE' | 'DELETE' | 'OTHER' | 'TIMER_EXPIRED';
  readonly resourceType: string;
  readonly identifier: string;
  /** Blueprint, entity, run … the record is about; filters of the audit log read it. */
  readonly context: Readonly<Record<string, string>>;
  /** A JSON value, or a `JsonText` of one. */
  readonly before?: unknown;
  readonly after?: unknown;
  readonly message?: string;
  /** Noted, but nobody reacts to it: the platform moved its own data, and nothing changed for people. */
  readonly isSilent?: boolean;
}

/** Everything that must be atomic, handed to a use case for one transaction. */
export interface Work {
  readonly tx: Tx;
  readonly actor: Actor;
  /** One moment for everything the transaction writes. */
  readonly now: Date;
  record(entry: DomainRecord): void;
  enqueue<Input extends z.ZodType>(job: JobDeclaration<Input>, input: z.input<Input>): Promise<void>;
  /** Leaves a write, one at most, for right before the commit, after the records: what it locks is held briefly. */
  last(write: () => Promise<void>): void;
}

/** Opens a unit of work. Only use-case files call it. The body may be repeated (serialisation failures). */
export type UnitOfWork = <T>(actor: Actor, body: (work: Work) => Promise<T>) => Promise<T>;

/** Writes the records of one unit of work in its transaction; the journal implements it. */
export type WriteRecords = (tx: Tx, actor: Actor, now: Date, records: readonly DomainRecord[]) => Promise<void>;

export interface UnitOfWorkPorts {
  readonly database: Database;
  readonly jobs: Pick<Jobs, 'enqueue'>;
  readonly clock: Clock;
  /** Called once, after the body, if anything was recorded. */
  readonly writeRecords: WriteRecords;
  /** Awaited between the statements of an actor that gives way. */
  readonly giveWay?: (() => Promise<void>) | undefined;
}

export function createUnitOfWork({ database, jobs, clock, writeRecords, giveWay }: UnitOfWorkPorts): UnitOfWork {
  return (actor, body) =>
    database.transaction(
      async (tx) => {
        // Made anew when the transaction is repeated: nothing of the failed attempt remains.
        const now = clock.now();
        const records: DomainRecord[] = [];
        let last: (() => Promise<void>) | undefined;
        const value = await body({
          tx,
          actor,
          now,
          record: (entry) => {
            records.push(entry);
          },
          enqueue: (job, input) => jobs.enqueue(tx, actor.orgId, job, input),
          last: (write) => {
            if (last) throw new Error('Something else is left for the end of this unit of work already');
            last = write;
          },
        });
        if (records.length > 0) await writeRecords(tx, actor, now, records);
        await last?.();
        return value;
      },
      actor.givesWay ? { between: giveWay } : undefined,
    );
}
