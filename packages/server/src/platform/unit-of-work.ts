import type { z } from 'zod';
import type { Actor } from './actor.ts';
import type { Tx } from './db/database.ts';
import type { JobDeclaration } from './jobs/job.ts';

/** What happened, for the audit trail and for whoever reacts; written with the state or not at all. */
export interface DomainRecord {
  /** Noun then past: `entity.updated`. */
  readonly event: string;
  readonly action: 'CREATE' | 'UPDATE' | 'DELETE' | 'OTHER';
  readonly resourceType: string;
  readonly identifier: string;
  /** Blueprint, entity, run … the record is about; filters of the audit log read it. */
  readonly context: Readonly<Record<string, string>>;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly message?: string;
}

/** Everything that must be atomic, handed to a use case for one transaction. */
export interface Work {
  readonly tx: Tx;
  readonly actor: Actor;
  /** One moment for everything the transaction writes. */
  readonly now: Date;
  record(entry: DomainRecord): void;
  enqueue<Input extends z.ZodType>(job: JobDeclaration<Input>, input: z.input<Input>): Promise<void>;
}

/** Opens a unit of work. Only use-case files call it. The body may be repeated (serialisation failures). */
export type UnitOfWork = <T>(actor: Actor, body: (work: Work) => Promise<T>) => Promise<T>;
