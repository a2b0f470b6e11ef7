import type { AuditResource } from '@portolan/contract/audit';
import type { z } from 'zod';
import type { Actor } from './actor.ts';
import type { Clock } from './clock.ts';
import type { Database, Tx } from './db/database.ts';
import { refuseFrozen } from './frozen-organizations.store.ts';
import type { JobDeclaration } from './jobs/job.ts';
import type { Jobs } from './jobs/jobs.ts';

/** A change, for the audit log and for subscribers; written with the state or not at all. */
export interface DomainRecord {
  /** Noun and past form: `entity.updated`. */
  readonly event: string;
  readonly action: 'CREATE' | 'UPDATE' | 'DELETE' | 'OTHER' | 'TIMER_EXPIRED';
  readonly resourceType: AuditResource;
  readonly identifier: string;
  /** What the record is about (blueprint, entity, run …); the audit log filters by it. */
  readonly context: Readonly<Record<string, string>>;
  /** A JSON value, or a `JsonText` of one. */
  readonly before?: unknown;
  readonly after?: unknown;
  readonly message?: string;
  /** Recorded without subscribers: the platform moved its own data, and nothing changed for people. */
  readonly isSilent?: boolean;
}

/** What one transaction of a use case must do atomically. */
export interface Work {
  readonly tx: Tx;
  readonly actor: Actor;
  /** One moment for everything the transaction writes. */
  readonly now: Date;
  record(entry: DomainRecord): void;
  enqueue<Input extends z.ZodType>(job: JobDeclaration<Input>, input: z.input<Input>): Promise<void>;
  /** Runs one write right before the commit, after the records, so that its locks are held briefly. */
  last(write: () => Promise<void>): void;
  /** The same transaction on behalf of an actor of another organization, whose the records and jobs then are. */
  beside(actor: Actor): Work;
}

/**
 * Opens a unit of work; only use-case files do. The body may be repeated after serialization failures.
 * @throws AppError `service_unavailable` at its end, for an organization that takes no changes, whatever it did
 */
export type UnitOfWork = <T>(actor: Actor, body: (work: Work) => Promise<T>) => Promise<T>;

/**
 * Writes the records of one unit of work in its transaction; the journal implements it. Refuses them for a frozen
 * organization.
 */
export type WriteRecords = (tx: Tx, actor: Actor, now: Date, records: readonly DomainRecord[]) => Promise<void>;

export interface UnitOfWorkPorts {
  readonly database: Database;
  readonly jobs: Pick<Jobs, 'enqueue'>;
  readonly clock: Clock;
  /** Called once, after the body, if anything was recorded. */
  readonly writeRecords: WriteRecords;
  /** Told how many records were committed. */
  readonly noteRecords?: ((count: number) => void) | undefined;
  /** Awaited between statements of an actor that gives way. */
  readonly giveWay?: (() => Promise<void>) | undefined;
}

export function createUnitOfWork(ports: UnitOfWorkPorts): UnitOfWork {
  const { database, jobs, clock, writeRecords, noteRecords, giveWay } = ports;
  return (actor, body) =>
    database.transaction(
      async (tx) => {
        // A repetition starts from here: nothing of the failed attempt remains.
        const now = clock.now();
        const recorded: { readonly by: Actor; readonly records: DomainRecord[] }[] = [];
        let last: (() => Promise<void>) | undefined;
        const open = (by: Actor): Work => {
          const records: DomainRecord[] = [];
          recorded.push({ by, records });
          return {
            tx,
            actor: by,
            now,
            record: (entry) => {
              records.push(entry);
            },
            enqueue: (job, input) => jobs.enqueue(tx, by.orgId, job, input),
            last: (write) => {
              if (last) throw new Error('Something else is left for the end of this unit of work already');
              last = write;
            },
            beside: open,
          };
        };
        const value = await body(open(actor));
        const unasked = new Set(recorded.map(({ by }) => by.orgId));
        for (const { by, records } of recorded) {
          if (records.length === 0) continue;
          await writeRecords(tx, by, now, records);
          unasked.delete(by.orgId);
        }
        for (const orgId of unasked) await refuseFrozen(tx, orgId);
        if (noteRecords) {
          const count = recorded.reduce((sum, { records }) => sum + records.length, 0);
          tx.afterCommit(() => noteRecords(count));
        }
        await last?.();
        return value;
      },
      actor.givesWay ? { between: giveWay } : undefined,
    );
}
